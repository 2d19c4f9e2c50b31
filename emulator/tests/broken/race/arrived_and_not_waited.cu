// Threads read what others store before a barrier at which they have arrived, and for which they wait too late.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void neighbours(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[64];
    const int t = static_cast<int>(threadIdx.x);
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    values[t] = t;  // expect: race
    auto token = barrier.arrive();
#ifdef BROKEN
    y[t] = values[(t + 32) % 64];  // expect: race, other
    barrier.wait(std::move(token));
#else
    barrier.wait(std::move(token));
    y[t] = values[(t + 32) % 64];
#endif
}

int main() {
    Array<int> y(64);
    neighbours<<<1, 64>>>(y);
    return differs(y[0], 32);
}
