// Looks up keys in a table of buckets: each bucket is one piece of memory, in no order.

#include "common/check.h"

constexpr unsigned absent = 0;

__global__ void find_kernel(const int* begin, int buckets, const unsigned* keys, const unsigned* values,
                            const unsigned* wanted, int n, unsigned* found) {
    // BEGIN SOLUTION
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;  // the same for all lanes of a warp
    const int lane = threadIdx.x % 32;
    if (i >= n) return;
    const unsigned key = wanted[i];
    const int bucket = key % buckets;
    const int end = begin[bucket + 1];
    unsigned value = absent;
    for (int first = begin[bucket]; first < end && value == absent; first += 32) {
        const bool hit = first + lane < end && keys[first + lane] == key;
        const unsigned hits = __ballot_sync(0xffffffff, hit);
        if (hits != 0) value = values[first + __ffs(hits) - 1];
    }
    if (lane == 0) found[i] = value;
    // STUB
    // const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // if (i >= n) return;
    // const unsigned key = wanted[i];
    // const int bucket = key % buckets;
    // unsigned value = absent;
    // for (int k = begin[bucket]; k < begin[bucket + 1] && value == absent; ++k)
    //     if (keys[k] == key) value = values[k];
    // found[i] = value;
    // END SOLUTION
}

/// The table, in device memory: bucket b has keys[begin[b]] to keys[begin[b + 1] - 1], those with key % buckets == b,
/// and values at the same indices. No value is 0. wanted: n keys in device memory; n may be 0. found: n values in
/// device memory, which are set: the value of each wanted key, 0 if it is not in the table.
void find_all(const int* begin, int buckets, const unsigned* keys, const unsigned* values, const unsigned* wanted,
              int n, unsigned* found) {
    if (n == 0) return;
    // BEGIN SOLUTION
    find_kernel<<<(n + 3) / 4, 128>>>(begin, buckets, keys, values, wanted, n, found);
    // STUB
    // find_kernel<<<(n + 127) / 128, 128>>>(begin, buckets, keys, values, wanted, n, found);
    // END SOLUTION
    CUDA_CHECK_LAUNCH();
}
