// Plain stores make locks, and take them apart: before a barrier, behind the last who used it, in a launch of its own.
#include "../arrays.h"

__global__ void make(int* lock) {
    *lock = 0;
}

__global__ void count(int* lock, int* counter, unsigned* done) {
    __shared__ int own_lock, own_count;
    __shared__ bool is_last;
    if (threadIdx.x == 0) own_lock = own_count = 0;
    __syncthreads();
    while (atomicCAS(&own_lock, 0, 1) != 0) continue;
    __threadfence_block();
    own_count += 1;
    __threadfence_block();
    atomicExch(&own_lock, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        own_lock = 1;  // nobody asks for it any more
        while (atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        *counter += own_count;
        __threadfence();
        *static_cast<volatile int*>(lock) = 0;
        __threadfence();
        is_last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last && threadIdx.x == 1) {
        *lock = 0;
        *done = 0;
    }
}

int main() {
    Array<int> lock(1), counter(1, 0);
    Array<unsigned> done(1, 0);
    for (int i = 0; i < 2; ++i) {
        make<<<1, 1>>>(lock);
        count<<<4, 64>>>(lock, counter, done);
    }
    return differs(counter[0], 512);
}
