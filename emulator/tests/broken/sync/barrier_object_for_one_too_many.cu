// A barrier object expects one thread more than there is.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void neighbours(int* y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[32];
    const int t = static_cast<int>(threadIdx.x);
#ifdef BROKEN
    if (t == 0) init(&barrier, blockDim.x + 1);
#else
    if (t == 0) init(&barrier, blockDim.x);
#endif
    __syncthreads();
    values[t] = t;
    // says: Each phase of that barrier ends after 33 arrivals, and 32 came in this one
    barrier.arrive_and_wait();  // expect: deadlock
    y[t] = values[31 - t];
}

int main() {
    Array<int> y(32);
    neighbours<<<1, 32>>>(y);
    return differs(y[0], 31);
}
