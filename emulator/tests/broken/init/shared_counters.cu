// Shared memory does not begin at zero.
#include "../arrays.h"

__global__ void histogram(const int* x, int* bins) {
    __shared__ int count[8];
    const int t = threadIdx.x;
#ifndef BROKEN
    if (t < 8) count[t] = 0;
#endif
    __syncthreads();
    atomicAdd(&count[x[t] % 8], 1);  // expect: uninitialised
    __syncthreads();
    if (t < 8) bins[t] = count[t];  // may: uninitialised
}

int main() {
    const int n = 96;
    Array<int> x(n, [](int i) { return 3 * i; });
    Array<int> bins(8);
    histogram<<<1, n>>>(x, bins);
    return differs(bins[7], 12);
}
