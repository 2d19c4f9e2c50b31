// cuda::atomic_ref, and a grid of any size.

#include "common/check.h"

#include <cuda/atomic>
__global__ void push_all(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        cuda::atomic_ref<int, cuda::thread_scope_device> head(heads[keys[i] % buckets]);
        next[i] = head.exchange(i, cuda::memory_order_relaxed);
    }
}

__global__ void clear(int* heads, int buckets) {
    for (int b = threadIdx.x; b < buckets; b += blockDim.x) heads[b] = -1;
}

void build_lists(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    clear<<<1, 128>>>(heads, buckets);
    CUDA_CHECK_LAUNCH();
    push_all<<<16, 256>>>(keys, n, buckets, heads, next);
    CUDA_CHECK_LAUNCH();
}
