// A word that all threads of a block count in is atomic for one thread only.
#include <cuda/atomic>

#include "../arrays.h"

#ifdef BROKEN
constexpr cuda::thread_scope scope = cuda::thread_scope_thread;
#else
constexpr cuda::thread_scope scope = cuda::thread_scope_block;
#endif

__global__ void count(int* result) {
    __shared__ cuda::atomic<int, scope> counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    ++counter;  // expect: race
    __syncthreads();
    if (threadIdx.x == 0) *result = counter;
}

int main() {
    Array<int> result(1, 0);
    count<<<1, 64>>>(result);
    return differs(result[0], 64);
}
