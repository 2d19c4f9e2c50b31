// Volatile counters that one thread at a time may change: in turns, under a lock, or since they are its own. And flags,
// of which nothing is lost if two threads set the same one.
#include "../arrays.h"

__device__ volatile int turn, visits, visits_under_lock;
__device__ int lock;

__global__ void in_turn(volatile int* sums, volatile unsigned* flags) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i]++;
    for (int k = 0; k < 3; ++k) sums[i] += k;
    --sums[i];
    *flags |= 4;
    __shared__ volatile int mine[64];
    mine[threadIdx.x] = 0;
    mine[threadIdx.x]++;
    __syncthreads();
    if (threadIdx.x != 0) return;
    while (turn != static_cast<int>(blockIdx.x)) {
    }
    __threadfence();
    visits += mine[63];
    __threadfence();
    turn++;
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            visits_under_lock += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

// The last thread that comes resets the counter.
__global__ void afterwards(volatile int* counter, int* last) {
    if (atomicAdd(last, 1) == static_cast<int>(gridDim.x * blockDim.x) - 1) (*counter)--;
}

int main() {
    Array<int> sums(256, 0), last(1, 0);
    Array<unsigned> flags(1, 0);
    in_turn<<<4, 64>>>(sums, flags);
    afterwards<<<4, 64>>>(sums, last);
    check(cudaDeviceSynchronize());
    int found[2] = {};
    check(cudaMemcpyFromSymbol(&found[0], const_cast<const int&>(visits), sizeof(int)));
    check(cudaMemcpyFromSymbol(&found[1], const_cast<const int&>(visits_under_lock), sizeof(int)));
    return differs(found[0], 4) || differs(found[1], 4) || differs(int(sums[255]), 3) ||
           differs(unsigned(flags[0]), 4u);
}
