// One lane of the warp after the other, as in the lesson's stage 2.

#include "common/check.h"

__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) continue;
    __threadfence();
}

__device__ void unlock(int* mutex) {
    __threadfence();
    atomicExch(mutex, 0);
}

__global__ void offer_all(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned* two = largest + keys[i] % buckets * 2;
        for (unsigned lane = 0; lane < 32; ++lane)
            if (threadIdx.x % 32 == lane) {
                lock(&locks[keys[i] % buckets]);
                if (keys[i] > two[0]) {
                    two[1] = two[0];
                    two[0] = keys[i];
                } else {
                    two[1] = max(two[1], keys[i]);
                }
                unlock(&locks[keys[i] % buckets]);
            }
    }
}

void two_largest(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    CUDA_CHECK(cudaMemset(largest, 0, 2 * buckets * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(locks, 0, buckets * sizeof(int)));
    offer_all<<<8, 96>>>(keys, n, buckets, largest, locks);
    CUDA_CHECK_LAUNCH();
}
