// The flag is raised by a release, and the thread that waits for it does so with relaxed loads.
#include <cuda/atomic>

#include "../arrays.h"

__global__ void hand_over(int* result) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
    __shared__ int values[32];
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 64) {
        values[3] = 7;  // expect: race
        ready.store(1, cuda::memory_order_release);
    } else if (threadIdx.x == 1) {
#ifdef BROKEN
        while (ready.load(cuda::memory_order_relaxed) == 0) continue;
#else
        while (ready.load(cuda::memory_order_relaxed) == 0) continue;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
#endif
        *result = values[3];  // expect: race, other
    }
}

int main() {
    Array<int> result(1, 0);
    hand_over<<<1, 96>>>(result);
    return differs(result[0], 7);
}
