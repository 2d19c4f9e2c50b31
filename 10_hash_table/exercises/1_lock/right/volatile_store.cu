// The lock is freed by a store through volatile, behind the fence: to other threads that is as good as an atomic store.

#include "common/check.h"

__global__ void offer_all(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool through = i >= n;
    while (!through) {
        const unsigned bucket = keys[i] % buckets;
        volatile int* lock = locks + bucket;
        if (*lock == 0 && atomicCAS(&locks[bucket], 0, 1) == 0) {
            __threadfence();
            unsigned* two = &largest[2 * bucket];
            two[1] = max(two[1], min(two[0], keys[i]));
            two[0] = max(two[0], keys[i]);
            __threadfence();
            *lock = 0;
            through = true;
        }
    }
}

void two_largest(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    CUDA_CHECK(cudaMemset(largest, 0, 2 * buckets * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(locks, 0, buckets * sizeof(int)));
    if (n == 0) return;
    offer_all<<<(n + 63) / 64, 64>>>(keys, n, buckets, largest, locks);
    CUDA_CHECK_LAUNCH();
}
