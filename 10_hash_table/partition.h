#pragma once

// Brings the pairs of each part together: count, add up, scatter. What stages 5 and 6 share.

#include <algorithm>
#include <string>

#include "block_scan.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "hash_table.h"

namespace hash_table {

inline constexpr unsigned partition_threads = 1024;

/// A block's piece of the input: the same one for counting and for scattering.
struct Piece {
    __device__ Piece(std::size_t n, std::size_t length)
        : begin(min(blockIdx.x * length, n)), end(min(begin + length, n)) {}

    std::size_t begin, end;
};

/// counts[block · parts + p] = how many of the block's keys are in part p.
template <class PartOf>
__global__ void __launch_bounds__(partition_threads)
    count_parts(const Key* keys, std::size_t n, std::size_t length, PartOf part_of, unsigned parts, unsigned* counts) {
    extern __shared__ unsigned table[];
    for (unsigned p = threadIdx.x; p < parts; p += partition_threads) table[p] = 0;
    __syncthreads();

    constexpr unsigned items = 8;  // loads on the way at once
    const Piece piece(n, length);
    std::size_t i = piece.begin + threadIdx.x;
    for (; i + (items - 1) * partition_threads < piece.end; i += items * partition_threads) {
        Key key[items];
#pragma unroll
        for (unsigned k = 0; k < items; ++k) key[k] = keys[i + k * partition_threads];
#pragma unroll
        for (unsigned k = 0; k < items; ++k) atomicAdd(&table[part_of(key[k])], 1);
    }
    for (; i < piece.end; i += partition_threads) atomicAdd(&table[part_of(keys[i])], 1);
    __syncthreads();

    counts += std::size_t{blockIdx.x} * parts;
    for (unsigned p = threadIdx.x; p < parts; p += partition_threads) counts[p] = table[p];
}

/// In each part: from what each block has to what the blocks before it have; sums[p] = what all have.
static __global__ void add_up_blocks(unsigned* counts, unsigned blocks, unsigned parts, unsigned* sums) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts) return;
    constexpr unsigned batch = 12;  // loads on the way at once
    unsigned sum = 0;
    for (unsigned block = 0; block < blocks; block += batch) {
        unsigned* column = &counts[std::size_t{block} * parts + p];
        unsigned count[batch];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) count[k] = block + k < blocks ? column[std::size_t{k} * parts] : 0;
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) {
            if (block + k < blocks) column[std::size_t{k} * parts] = sum;
            sum += count[k];
        }
    }
    sums[p] = sum;
}

/// Each block sorts tiles of partition_threads · items pairs by part in shared memory, and appends what it has of each
/// part to its own place there: neighbours in a part are written by neighbouring threads. The place of a part is
/// begin[p], and within it the block's is before[block · parts + p]. write(i, pair) puts a pair at place i of all.
template <unsigned items, class PartOf, class Write>
__global__ void __launch_bounds__(partition_threads)
    scatter(const Key* keys, const Value* values, std::size_t n, std::size_t length, PartOf part_of, unsigned parts,
            const unsigned* begin, const unsigned* before, Write write) {
    extern __shared__ Pair sorted[];  // the tile, then three numbers for each part
    constexpr unsigned tile = partition_threads * items;
    unsigned* counts = reinterpret_cast<unsigned*>(sorted + tile);  // in the tile, then where it begins in `sorted`
    unsigned* next = counts + parts;                                // place of the block's next pair
    unsigned* shift = next + parts;                                 // from `sorted` to that place
    const unsigned t = threadIdx.x;
    for (unsigned p = t; p < parts; p += partition_threads) {
        counts[p] = 0;
        next[p] = begin[p] + before[std::size_t{blockIdx.x} * parts + p];
    }
    const Piece piece(n, length);
    Pair pair[items];
    const auto load = [&](std::size_t first) {
#pragma unroll
        for (unsigned k = 0; k < items; ++k) {
            const std::size_t i = first + k * partition_threads + t;
            if (i < piece.end) pair[k] = {keys[i], values[i]};
        }
    };
    load(piece.begin);
    __syncthreads();

    const unsigned share = (parts + partition_threads - 1) / partition_threads;
    const unsigned from = min(t * share, parts), to = min(from + share, parts);
    for (std::size_t first = piece.begin; first < piece.end; first += tile) {
        const unsigned size = static_cast<unsigned>(min(std::size_t{tile}, piece.end - first));
        unsigned rank[items];  // among the tile's pairs of the same part
#pragma unroll
        for (unsigned k = 0; k < items; ++k)
            if (k * partition_threads + t < size) rank[k] = atomicAdd(&counts[part_of(pair[k].key)], 1);
        __syncthreads();

        unsigned sum = 0;  // each thread adds up a few neighbouring parts
        for (unsigned p = from; p < to; ++p) sum += counts[p];
        unsigned sorted_begin = sum_before(sum);
        for (unsigned p = from; p < to; ++p) {
            const unsigned count = counts[p];
            counts[p] = sorted_begin;
            shift[p] = next[p] - sorted_begin;
            next[p] += count;
            sorted_begin += count;
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < items; ++k)
            if (k * partition_threads + t < size) sorted[counts[part_of(pair[k].key)] + rank[k]] = pair[k];
        __syncthreads();

        load(first + tile);  // on the way while this tile is written
        for (unsigned p = t; p < parts; p += partition_threads) counts[p] = 0;
#pragma unroll
        for (unsigned k = 0; k < items; ++k) {
            const unsigned i = k * partition_threads + t;
            if (i < size) write(shift[part_of(sorted[i].key)] + i, sorted[i]);
        }
        __syncthreads();
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

/// Sorts pairs by part. PartOf: a key's part, on the device.
template <class PartOf>
class Partitioner {
  public:
    Partitioner() = default;
    Partitioner(PartOf part_of, unsigned parts)
        : part_of_(part_of), parts_(parts), counts_(std::size_t{multiprocessors()} * parts), sums_(parts) {}

    /// Parts that the kernels can tell apart on this device.
    static unsigned most_parts() {
        return static_cast<unsigned>((largest_shared_memory() - least_items * partition_threads * sizeof(Pair)) /
                                     (3 * sizeof(unsigned)));
    }

    /// sums()[p] becomes the number of pairs in part p.
    void count(const Key* keys, std::size_t n) {
        // A block for each multiprocessor; whole cache lines for each.
        length_ = (n + 32 * multiprocessors() - 1) / (32 * multiprocessors()) * 32;
        blocks_ = n == 0 ? 0 : static_cast<unsigned>((n + length_ - 1) / length_);
        if (n > 0) {
            const std::size_t shared = parts_ * sizeof(unsigned);
            allow_shared_memory(count_parts<PartOf>, shared);
            count_parts<<<blocks_, partition_threads, shared>>>(keys, n, length_, part_of_, parts_, counts_.data());
            CUDA_CHECK_LAUNCH();
        }
        add_up_blocks<<<(parts_ + warp_size - 1) / warp_size, warp_size>>>(counts_.data(), blocks_, parts_,
                                                                           sums_.data());
        CUDA_CHECK_LAUNCH();
    }

    /// After count(): begin[p] is the place of part p's first pair.
    template <class Write>
    void scatter_to(const Key* keys, const Value* values, std::size_t n, const unsigned* begin, Write write) {
        if (n == 0) return;
        launch_scatter<12>(keys, values, n, begin, write) || launch_scatter<least_items>(keys, values, n, begin, write);
    }

    const unsigned* sums() const { return sums_.data(); }

  private:
    static constexpr unsigned least_items = 4;

    /// Tiles of that size, or false if they are too large for shared memory.
    template <unsigned items, class Write>
    bool launch_scatter(const Key* keys, const Value* values, std::size_t n, const unsigned* begin, Write write) {
        const std::size_t shared = partition_threads * items * sizeof(Pair) + 3 * parts_ * sizeof(unsigned);
        if (shared > largest_shared_memory()) return false;
        allow_shared_memory(scatter<items, PartOf, Write>, shared);
        scatter<items><<<blocks_, partition_threads, shared>>>(keys, values, n, length_, part_of_, parts_, begin,
                                                               counts_.data(), write);
        CUDA_CHECK_LAUNCH();
        return true;
    }

    PartOf part_of_{};
    unsigned parts_ = 0, blocks_ = 0;
    std::size_t length_ = 0;  // of a block's piece
    DeviceBuffer<unsigned> counts_, sums_;
};

}  // namespace hash_table
