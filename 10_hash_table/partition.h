#pragma once

// Brings the pairs of each part together: count, scan, scatter. What stages 5 to 10 share.

#include <algorithm>
#include <string>

#include "block_scan.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/program.h"
#include "hash_table.h"

namespace hash_table {

inline constexpr unsigned partition_threads = 1024;

/// A part is a bucket. bits: how many of them say which part of the bucket it is.
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

    constexpr unsigned items = 8;  // loads on the way at once
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

/// Each block sorts a tile of partition_threads · items pairs by part in shared memory, takes a place in every part for
/// those that it has, and writes them there: neighbours in a part are written by neighbouring threads. cursor[p]: where
/// part p goes on. write(i, pair) puts a pair at place i of all.
template <unsigned items, class PartOf, class Write>
__global__ void __launch_bounds__(partition_threads)
    scatter(const Key* keys, const Value* values, std::size_t n, PartOf part_of, unsigned parts, unsigned* cursor,
            Write write) {
    extern __shared__ Pair sorted[];  // the tile, then two numbers for each part
    constexpr unsigned tile = partition_threads * items;
    unsigned* begin = reinterpret_cast<unsigned*>(sorted + tile);  // where the part begins in `sorted`
    unsigned* shift = begin + parts;                               // from there to its place in memory
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

    // From counts to sums: each thread for a few neighbouring parts.
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
    for (unsigned p = t; p < parts; p += partition_threads)  // neighbours: a warp's atomics are few requests
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

/// Shared memory that a block may have, in bytes, if it asks for it.
inline std::size_t largest_shared_memory() {
    int device = 0, bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return static_cast<std::size_t>(bytes) - 1024;  // and some for static arrays
}

/// So many bytes of dynamic shared memory for a kernel; more than 48 KiB must be asked for.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
}

/// Parts that the kernels above can tell apart on this device.
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
    const auto launch = [&]<unsigned items>() {
        constexpr std::size_t tile = partition_threads * items;
        const std::size_t shared = tile * sizeof(Pair) + 2 * parts * sizeof(unsigned);
        if (shared > largest) return false;
        allow_shared_memory(scatter<items, PartOf, Write>, shared);
        const auto blocks = static_cast<unsigned>((n + tile - 1) / tile);
        scatter<items><<<blocks, partition_threads, shared>>>(keys, values, n, part_of, parts, cursor, write);
        CUDA_CHECK_LAUNCH();
        return true;
    };
    launch.template operator()<16>() || launch.template operator()<4>();
}

}  // namespace hash_table
