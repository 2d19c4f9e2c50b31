// A kernel reads what a kernel in another stream writes. Nothing has the second stream wait.
#include "../arrays.h"

__global__ void add_one(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++x[i];  // expect: unordered
}

__global__ void twice(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // expect: unordered, other
}

int main() {
    constexpr int n = 300;
    Array<int> x(n, [](int i) { return i; }), y(n);
    cudaStream_t first, second;
    check(cudaStreamCreate(&first));
    check(cudaStreamCreate(&second));
    cudaEvent_t added;
    check(cudaEventCreateWithFlags(&added, cudaEventDisableTiming));
    add_one<<<3, 100, 0, first>>>(x, n);
    check(cudaEventRecord(added, first));
#ifndef BROKEN
    check(cudaStreamWaitEvent(second, added));
#endif
    twice<<<3, 100, 0, second>>>(x, y, n);
    const int last = y[n - 1];
    check(cudaEventDestroy(added));
    check(cudaStreamDestroy(first));
    check(cudaStreamDestroy(second));
    return differs(last, 600);
}
