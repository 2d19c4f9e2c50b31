// The first block gives the others a pointer to its shared memory, which is theirs alone on a GPU.
#include "../arrays.h"

__device__ int* table_of_all;
__device__ int ready;

__global__ void lookup(const int* x, int* y, int* copy) {
    __shared__ int table[32];
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        table[t] = x[t];
        copy[t] = x[t];
        __syncthreads();
        if (t == 0) {
#ifdef BROKEN
            table_of_all = table;
#else
            table_of_all = copy;
#endif
            __threadfence();
            atomicAdd(&ready, 1);
        }
    }
    if (t == 0)
        while (atomicAdd(&ready, 0) == 0) {
        }
    __syncthreads();
    __threadfence();
    y[blockIdx.x * 32 + t] = table_of_all[31 - t];  // expect: uninitialised
}

int main() {
    Array<int> x(32, [](int i) { return i; }), y(96), copy(32);
    lookup<<<3, 32>>>(x, y, copy);
    return differs(y[95], x[0]);
}
