// Two host threads give kernels to cudaStreamPerThread, each to a stream of its own. Nobody waits for the first one.
#include <thread>

#include "../arrays.h"

__global__ void change(int* x, int factor, int summand, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = factor * x[i] + summand;  // expect: unordered
}

int main() {
    constexpr int n = 300;
    Array<int> x(n, [](int i) { return i; });
    std::thread([&] {
        change<<<3, 100, 0, cudaStreamPerThread>>>(x, 2, 0, n);
#ifndef BROKEN
        check(cudaStreamSynchronize(cudaStreamPerThread));
#endif
    }).join();
    std::thread([&] {
        change<<<3, 100, 0, cudaStreamPerThread>>>(x, 1, 10, n);
        check(cudaStreamSynchronize(cudaStreamPerThread));
    }).join();
    check(cudaDeviceSynchronize());
    const int last = x[n - 1];
    return differs(last, 2 * (n - 1) + 10);
}
