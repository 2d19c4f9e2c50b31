#pragma once

// Partition: count, scan and scatter bring the pairs of each part together. What stages 5 to 10 share.

#include <algorithm>
#include <string>
#include <type_traits>

#include "block_scan.h"
#include "common/check.h"
#include "common/device.h"
#include "common/device_buffer.h"
#include "hash_table.h"

namespace hash_table {

inline constexpr unsigned partition_threads = 1024;

/// A part is a whole bucket. bits: how many bits of the second hash choose the part, here none.
struct ByBucket {
    static constexpr unsigned bits = 0;
    unsigned buckets;

    __device__ unsigned operator()(Key key) const { return bucket_of(key, buckets); }
};

/// counts[p] += the number of keys in part p. counts starts with zeros.
template <class PartOf>
__global__ void __launch_bounds__(partition_threads)
    count_parts(const Key* keys, std::size_t n, PartOf part_of, unsigned parts, unsigned* counts) {
    extern __shared__ unsigned block_counts[];
    for (unsigned p = threadIdx.x; p < parts; p += blockDim.x) block_counts[p] = 0;
    __syncthreads();

    constexpr unsigned items = 8;  // loads in flight at once
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (; i + (items - 1) * threads < n; i += items * threads) {
        Key key[items];
#pragma unroll
        for (unsigned k = 0; k < items; ++k) key[k] = keys[i + k * threads];
#pragma unroll
        for (unsigned k = 0; k < items; ++k) atomicAdd(&block_counts[part_of(key[k])], 1);
    }
    for (; i < n; i += threads) atomicAdd(&block_counts[part_of(keys[i])], 1);
    __syncthreads();

    for (unsigned p = threadIdx.x; p < parts; p += blockDim.x)
        if (block_counts[p] > 0) atomicAdd(&counts[p], block_counts[p]);
}

/// Each block sorts a tile of partition_threads · items pairs by part in shared memory, reserves room for them in every
/// part, and writes them there: neighbouring threads write neighbours in a part. cursor[p]: where the free room of part
/// p begins. write(i, pair) writes a pair to place i of the output.
template <unsigned items, class PartOf, class Write>
__global__ void __launch_bounds__(partition_threads)
    scatter(const Key* keys, const Value* values, std::size_t n, PartOf part_of, unsigned parts, unsigned* cursor,
            Write write) {
    extern __shared__ Pair sorted[];  // the tile; behind it `begin` and `shift`
    constexpr unsigned tile = partition_threads * items;
    unsigned* begin = reinterpret_cast<unsigned*>(sorted + tile);  // where each part begins in `sorted`
    unsigned* shift = begin + parts;                               // from there to the place in the output
    const unsigned t = threadIdx.x;
    for (unsigned p = t; p < parts; p += partition_threads) begin[p] = 0;
    __syncthreads();

    const std::size_t first = std::size_t{blockIdx.x} * tile;
    const unsigned count = n - first < tile ? static_cast<unsigned>(n - first) : tile;
    Pair pair[items];
    unsigned rank[items];  // among the tile's pairs of the same part
#pragma unroll
    for (unsigned k = 0; k < items; ++k) {
        const unsigned i = k * partition_threads + t;
        if (i < count) pair[k] = {keys[first + i], values[first + i]};
    }
#pragma unroll
    for (unsigned k = 0; k < items; ++k)
        if (k * partition_threads + t < count) rank[k] = atomicAdd(&begin[part_of(pair[k].key)], 1);
    __syncthreads();

    // A scan makes sums of the counts: each thread has a few neighbouring parts.
    const unsigned share = (parts + partition_threads - 1) / partition_threads;
    const unsigned from = min(t * share, parts), to = min(from + share, parts);
    unsigned sum = 0;
    for (unsigned p = from; p < to; ++p) sum += begin[p];
    unsigned before = sum_before(sum);
    for (unsigned p = from; p < to; ++p) {
        shift[p] = begin[p];
        begin[p] = before;
        before += shift[p];
    }
    __syncthreads();
    for (unsigned p = t; p < parts; p += partition_threads)  // neighbours: few sectors for a warp's atomics
        if (shift[p] > 0) shift[p] = atomicAdd(&cursor[p], shift[p]) - begin[p];

#pragma unroll
    for (unsigned k = 0; k < items; ++k)
        if (k * partition_threads + t < count) sorted[begin[part_of(pair[k].key)] + rank[k]] = pair[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < items; ++k) {
        const unsigned i = k * partition_threads + t;
        if (i < count) write(shift[part_of(sorted[i].key)] + i, sorted[i]);
    }
}

/// The most dynamic shared memory that a block may ask for, in bytes.
inline std::size_t largest_shared_memory() {
    int device = 0, bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return static_cast<std::size_t>(bytes) - 1024;  // leaves some for static arrays
}

/// Lets a kernel have so many bytes of dynamic shared memory; more than 48 KiB must be asked for.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
}

/// The most parts for which this device's shared memory has counters.
inline unsigned most_parts() {
    return static_cast<unsigned>((largest_shared_memory() - 4 * partition_threads * sizeof(Pair)) /
                                 (2 * sizeof(unsigned)));
}

/// Queues count_parts(). counts: one for each part.
template <class PartOf>
void launch_count(const Key* keys, std::size_t n, PartOf part_of, unsigned parts, unsigned* counts) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, parts * sizeof(unsigned)));
    const std::size_t shared = parts * sizeof(unsigned);
    allow_shared_memory(count_parts<PartOf>, shared);
    const auto needed = static_cast<unsigned>((n + partition_threads - 1) / partition_threads);
    const unsigned blocks = std::min(needed, 2 * multiprocessors());
    if (blocks == 0) return;
    count_parts<<<blocks, partition_threads, shared>>>(keys, n, part_of, parts, counts);
    CUDA_CHECK_LAUNCH();
}

/// Queues scatter(), with tiles as large as the device has shared memory for.
template <class PartOf, class Write>
void launch_scatter(const Key* keys, const Value* values, std::size_t n, PartOf part_of, unsigned parts,
                    unsigned* cursor, Write write) {
    if (n == 0) return;
    const std::size_t largest = largest_shared_memory();
    const auto launch = [&](auto constant) {
        constexpr unsigned items = constant();
        constexpr std::size_t tile = partition_threads * items;
        const std::size_t shared = tile * sizeof(Pair) + 2 * parts * sizeof(unsigned);
        if (shared > largest) return false;
        allow_shared_memory(scatter<items, PartOf, Write>, shared);
        const auto blocks = static_cast<unsigned>((n + tile - 1) / tile);
        scatter<items><<<blocks, partition_threads, shared>>>(keys, values, n, part_of, parts, cursor, write);
        CUDA_CHECK_LAUNCH();
        return true;
    };
    launch(std::integral_constant<unsigned, 16>{}) || launch(std::integral_constant<unsigned, 4>{});
}

}  // namespace hash_table
