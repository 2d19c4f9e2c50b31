// All blocks wait for each other, and then read the first one's shared memory by a pointer that it has left for them.
#include "../arrays.h"

__device__ int* table_of_all;
__device__ unsigned arrived;

__global__ void lookup(const int* x, int* y, int* copy) {
    __shared__ int table[32];
    const int t = threadIdx.x;
    table[t] = x[t];
    if (blockIdx.x == 0) copy[t] = x[t];
#ifdef BROKEN
    if (blockIdx.x == 0 && t == 0) table_of_all = table;
#else
    if (blockIdx.x == 0 && t == 0) table_of_all = copy;
#endif
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicAdd(&arrived, 1u);
        while (atomicAdd(&arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    y[blockIdx.x * 32 + t] = table_of_all[31 - t];  // expect: out-of-bounds
}

int main() {
    Array<int> x(32, [](int i) { return i; }), y(96), copy(32);
    lookup<<<3, 32>>>(x, y, copy);
    return differs(y[95], x[0]);
}
