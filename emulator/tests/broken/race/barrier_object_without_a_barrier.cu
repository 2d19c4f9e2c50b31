// Threads arrive at a barrier object that another thread initialises, and nothing says that it has.
#include <cuda/barrier>
#include <utility>

#include "../arrays.h"

__global__ void neighbours(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[32];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&barrier, blockDim.x);  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    values[t] = t;                     // may: race
    auto arrived = barrier.arrive();   // expect: race, other
    barrier.wait(std::move(arrived));  // may: deadlock, race
    y[t] = values[31 - t];             // may: race
}

int main() {
    Array<int> y(32);
    neighbours<<<1, 32>>>(y);
    return differs(y[0], 31);
}
