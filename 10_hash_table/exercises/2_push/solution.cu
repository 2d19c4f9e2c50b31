// A list for each bucket. Entry i holds key i; next[i] is the entry behind it, and -1 ends a list.

#include "common/check.h"

__global__ void push_all(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int bucket = keys[i] % buckets;
    // BEGIN SOLUTION
    next[i] = atomicExch(&heads[bucket], i);
    // STUB
    // next[i] = heads[bucket];
    // heads[bucket] = i;
    // END SOLUTION
}

/// keys: n keys in device memory; n may be 0. heads: the first entry of each bucket, -1 if it has none; next: n
/// entries. Both in device memory, and both are set. A key belongs to bucket key % buckets.
void build_lists(const unsigned* keys, int n, int buckets, int* heads, int* next) {
    CUDA_CHECK(cudaMemset(heads, 0xff, buckets * sizeof(int)));  // all bits 1: that is -1
    if (n == 0) return;
    push_all<<<(n + 255) / 256, 256>>>(keys, n, buckets, heads, next);
    CUDA_CHECK_LAUNCH();
}
