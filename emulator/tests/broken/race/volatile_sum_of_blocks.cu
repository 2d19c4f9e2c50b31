// One thread of each block adds the block's sum to that of all, through a pointer to volatile.
#include "../arrays.h"

__global__ void sum(const int* x, volatile int* all) {
    __shared__ int of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x != 0) return;
#ifdef BROKEN
    *all += of_block;  // expect: race
#else
    atomicAdd(const_cast<int*>(all), of_block);
#endif
}

int main() {
    Array<int> x(320, [](int i) { return 1 + i % 4; }), all(1, 0);
    sum<<<5, 64>>>(x, all);
    check(cudaDeviceSynchronize());
    return differs(int(all[0]), 800);
}
