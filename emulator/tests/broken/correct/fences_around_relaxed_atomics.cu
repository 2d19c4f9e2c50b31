// Relaxed atomic operations with a fence on both sides: the last block adds up what all have stored.
#include <cuda/atomic>

#include "../arrays.h"

__global__ void sum(const int* x, int* sums, unsigned* done, int* result) {
    sums[blockIdx.x] = x[blockIdx.x] * 2;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*done);
    if (counter.fetch_add(1, cuda::memory_order_relaxed) != gridDim.x - 1) return;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += sums[i];
    *result = all;
}

int main() {
    Array<int> x(30, [](int i) { return i; }), sums(30), result(1, 0);
    Array<unsigned> done(1, 0u);
    sum<<<30, 1>>>(x, sums, done, result);
    return differs(result[0], 870);
}
