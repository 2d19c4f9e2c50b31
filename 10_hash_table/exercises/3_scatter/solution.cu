// Brings the keys of each bucket together: count, add up, scatter.

#include "common/check.h"
#include "common/device_buffer.h"

constexpr int buckets = 256;  // and a thread for each of them where the counts are added up

__global__ void count_keys(const unsigned* keys, int n, int* counts) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[keys[i] % buckets], 1);
}

/// begin[b] and cursor[b]: where bucket b begins. begin[buckets]: where the last one ends.
__global__ void add_up(const int* counts, int* begin, int* cursor) {
    __shared__ int sums[buckets];
    const int b = threadIdx.x;
    sums[b] = counts[b];
    __syncthreads();
    for (int distance = 1; distance < buckets; distance *= 2) {
        const int before = b >= distance ? sums[b - distance] : 0;
        // BEGIN SOLUTION
        __syncthreads();
        sums[b] += before;
        __syncthreads();
        // STUB
        // sums[b] += before;
        // __syncthreads();
        // END SOLUTION
    }
    // Now sums[b] is the sum of the counts up to bucket b, its own included.
    // BEGIN SOLUTION
    begin[b] = cursor[b] = sums[b] - counts[b];
    // STUB
    // begin[b] = cursor[b] = sums[b];
    // END SOLUTION
    if (b == buckets - 1) begin[buckets] = sums[b];
}

/// Each key takes the next free place of its bucket.
__global__ void scatter(const unsigned* keys, int n, int* cursor, unsigned* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int* next = &cursor[keys[i] % buckets];
        // BEGIN SOLUTION
        const int place = atomicAdd(next, 1);
        out[place] = keys[i];
        // STUB
        // out[*next] = keys[i];
        // atomicAdd(next, 1);
        // END SOLUTION
    }
}

/// keys: n keys in device memory; n may be 0. begin: 257 ints in device memory, which are set. out: n keys in device
/// memory; out[begin[b]] to out[begin[b + 1] - 1] are those with key % 256 == b, in any order.
void partition(const unsigned* keys, int n, int* begin, unsigned* out) {
    DeviceBuffer<int> counts(buckets);
    DeviceBuffer<int> cursor(buckets);
    CUDA_CHECK(cudaMemset(counts.data(), 0, buckets * sizeof(int)));
    count_keys<<<8, 256>>>(keys, n, counts.data());
    add_up<<<1, buckets>>>(counts.data(), begin, cursor.data());
    scatter<<<8, 256>>>(keys, n, cursor.data(), out);
    CUDA_CHECK_LAUNCH();
}
