// The warps of a block share a lock in shared memory.
#include "../arrays.h"

__global__ void count(int* result) {
    __shared__ int lock, sum, order[4];
    const int t = threadIdx.x;
    if (t == 0) lock = 0, sum = 0;
    __syncthreads();
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) continue;
        __threadfence_block();
        order[sum] = t / 32;
        ++sum;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (t < 4) result[t] = order[t];
}

int main() {
    Array<int> result(4);
    count<<<1, 128>>>(result);
    return differs(result[0] + result[1] + result[2] + result[3], 6);
}
