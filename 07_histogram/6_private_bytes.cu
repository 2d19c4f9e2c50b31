// New here: each lane has 256 counters of its own, all in one bank: no bank conflicts, and no atomics, as no other lane
// touches them. To fit into shared memory, a counter has 8 bits, and four counters share a word.
// What it costs: a counter overflows at 256, so after 240 bytes a lane the warp adds its counters to the block's table
// and begins anew. An increment is now a load and a store. And 8 KiB a warp leave room for fewer warps.

#include "bytes.h"
#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned block_size = 128;
constexpr unsigned warps = block_size / warp_size;
constexpr unsigned rows = bins / 4;           // words a lane: four counters in each
constexpr unsigned vectors_until_flush = 15;  // 240 bytes, which an 8-bit counter can count
constexpr unsigned even_bytes = 0x00ff00ff;

/// Adds the warp's counters to the block's table, and sets them to 0. Each lane does it for two rows.
__device__ void flush(unsigned* words, unsigned lane, unsigned* table) {
    __syncwarp();
    for (unsigned row = lane; row < rows; row += warp_size) {
        unsigned even = 0, odd = 0;  // two sums of 16 bits in each: 32 · 255 fits
        for (unsigned j = 0; j < warp_size; ++j) {
            unsigned& word = words[row * warp_size + (j + lane) % warp_size];  // each lane in a bank of its own
            even += word & even_bytes;
            odd += word >> 8 & even_bytes;
            word = 0;
        }
        atomicAdd(&table[4 * row], even & 0xffff);
        atomicAdd(&table[4 * row + 1], odd & 0xffff);
        atomicAdd(&table[4 * row + 2], even >> 16);
        atomicAdd(&table[4 * row + 3], odd >> 16);
    }
    __syncwarp();
}

__global__ void count_bytes(Bytes bytes, Count* counts) {
    __shared__ unsigned words[warps][rows * warp_size];
    __shared__ unsigned table[bins];
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    for (unsigned i = lane; i < rows * warp_size; i += warp_size) words[warp][i] = 0;
    for (unsigned v = threadIdx.x; v < bins; v += block_size) table[v] = 0;
    __syncthreads();

    // Row v / 4 of the lane's column holds the counter of value v, in byte v % 4 of the word.
    auto* column = reinterpret_cast<std::uint8_t*>(&words[warp][lane]);
    const auto count = [&](unsigned value) { ++column[value / 4 * (4 * warp_size) + value % 4]; };

    const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * block_size;
    // i - lane is the same for all lanes of a warp, so that all of them call flush(), or none.
    for (std::size_t i = thread; i - lane < bytes.vectors; i += vectors_until_flush * threads) {
#pragma unroll 5
        for (unsigned k = 0; k < vectors_until_flush; ++k)
            if (i + k * threads < bytes.vectors) count_vector(bytes.vector[i + k * threads], count);
        flush(words[warp], lane, table);
    }
    if (thread < bytes.heads) atomicAdd(&table[bytes.head[thread]], 1);
    if (thread < bytes.tails) atomicAdd(&table[bytes.tail[thread]], 1);
    __syncthreads();

    for (unsigned v = threadIdx.x; v < bins; v += block_size) atomicAdd(&counts[v], Count{table[v]});
}

}  // namespace

void private_bytes(const std::uint8_t* data, std::size_t n, Count* counts) {
    const Bytes bytes(data, n);
    const unsigned blocks = resident_blocks(count_bytes, block_size, bytes.vectors);
    require_small_shares("6_private_bytes", n, blocks);

    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));
    if (n == 0) return;

    count_bytes<<<blocks, block_size>>>(bytes, counts);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"8-bit counters per lane: no atomics, but overflow", private_bytes}});

}  // namespace histogram
