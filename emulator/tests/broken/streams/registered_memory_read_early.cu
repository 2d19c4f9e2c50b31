// The host adds up the vector that it has registered, and has not waited for the copy to it.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

int main() {
    constexpr int n = 64, bytes = n * sizeof(int);
    Array<int> x(n, [](int i) { return i; });
    const int expected = 2 * x[n - 1];
    std::vector<int> host(n);
    check(cudaHostRegister(host.data(), bytes, cudaHostRegisterDefault));
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    twice<<<1, n, 0, stream>>>(x);
    check(cudaMemcpyAsync(host.data(), x, bytes, cudaMemcpyDeviceToHost, stream));  // expect: unordered, other
#ifndef BROKEN
    check(cudaStreamSynchronize(stream));
#endif
    const int last = host[n - 1];  // expect: unordered
    check(cudaStreamSynchronize(stream));
    check(cudaHostUnregister(host.data()));
    check(cudaStreamDestroy(stream));
    return differs(last, expected);
}
