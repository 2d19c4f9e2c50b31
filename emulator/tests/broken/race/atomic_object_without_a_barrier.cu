// Threads use an atomic object that another thread constructs, and nothing says that it has.
#include <cuda/atomic>

#include "../arrays.h"

__global__ void count(int* result) {
    using Counter = cuda::atomic<int, cuda::thread_scope_block>;
    __shared__ Counter counter;
    if (threadIdx.x == 0) new (&counter) Counter(0);  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    counter.fetch_add(1, cuda::memory_order_relaxed);  // expect: race, other
    __syncthreads();
    if (threadIdx.x == 0) *result = counter.load(cuda::memory_order_relaxed);
}

int main() {
    Array<int> result(1, 0);
    count<<<1, 64>>>(result);
    return differs(result[0], 64);
}
