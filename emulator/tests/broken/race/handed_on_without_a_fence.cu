// A thread gives its block what it has stored. Another one tells the other blocks of it, with a fence that is for its
// own block.
#include "../arrays.h"

__global__ void relay(int* data, int* flag, int* y) {
    __shared__ int stored;
    if (threadIdx.x == 0) stored = 0;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 7;  // expect: race
        __threadfence_block();
        atomicExch(&stored, 1);
    }
    if (blockIdx.x == 0 && threadIdx.x == 40) {
        while (atomicAdd(&stored, 0) == 0) {
        }
#ifdef BROKEN
        __threadfence_block();
#else
        __threadfence();
#endif
        atomicExch(flag, 1);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *y = *data;  // expect: race, other
    }
}

int main() {
    Array<int> data(1), flag(1, 0), y(1);
    relay<<<2, 64>>>(data, flag, y);
    check(cudaDeviceSynchronize());
    return differs(int(y[0]), 7);
}
