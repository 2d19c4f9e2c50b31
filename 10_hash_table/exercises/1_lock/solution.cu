// The two largest keys of each bucket. A lock for each bucket keeps threads from changing them at the same time.

#include "common/check.h"

/// If the key is larger than one of the bucket's two, it takes its place among them.
__device__ void offer(unsigned* two, unsigned key) {
    if (key > two[0]) {
        two[1] = two[0];
        two[0] = key;
    } else if (key > two[1]) {
        two[1] = key;
    }
}

__global__ void offer_all(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool mine = i < n;  // whether there is a key for this thread
    const unsigned key = mine ? keys[i] : 0;
    const int bucket = key % buckets;

    // BEGIN SOLUTION
    for (bool done = !mine; !done;) {
        if (atomicCAS(&locks[bucket], 0, 1) != 0) continue;
        __threadfence();
        offer(&largest[2 * bucket], key);
        __threadfence();
        atomicExch(&locks[bucket], 0);
        done = true;
    }
    // STUB
    // while (mine && atomicCAS(&locks[bucket], 0, 1) != 0) continue;  // 0: the lock is free; 1: somebody has it
    // __syncwarp();                                                   // the lanes of a warp go on together
    // if (mine) {
    //     offer(&largest[2 * bucket], key);
    //     atomicExch(&locks[bucket], 0);
    // }
    // END SOLUTION
}

/// keys: n keys in device memory; n may be 0. largest: two numbers for each bucket, in device memory, which are set:
/// the larger one first, 0 where there is no key. A key belongs to bucket key % buckets. locks: one for each bucket, in
/// device memory; what they hold at first is not known.
void two_largest(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks) {
    CUDA_CHECK(cudaMemset(largest, 0, 2 * buckets * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(locks, 0, buckets * sizeof(int)));
    if (n == 0) return;
    offer_all<<<(n + 127) / 128, 128>>>(keys, n, buckets, largest, locks);
    CUDA_CHECK_LAUNCH();
}
