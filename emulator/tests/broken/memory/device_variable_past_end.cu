// A __device__ array, one element past its end; another one lies behind it.
#include "../arrays.h"

__device__ int counts[8], total;

__global__ void count(const int* x) {
    const int value = x[threadIdx.x];
#ifdef BROKEN
    atomicAdd(&counts[value / 10], 1);  // expect: out-of-bounds
#else
    atomicAdd(&counts[value / 10 < 8 ? value / 10 : 7], 1);
#endif
    atomicAdd(&total, 1);
}

int main() {
    const int n = 81;
    // data: as-is: they are the index
    Array<int> x(n, [](int i) { return i; });
    count<<<1, n>>>(x);
    int sum = 0;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    return differs(sum, n);
}
