// New here: each warp of a block has a table of its own, so that no two warps add to the same address. Neighbouring
// tables begin in different banks, so that warps that count the same value do not use the same bank either.
// What remains: the conflicts among the lanes of one warp, as before. They are what takes the time.

#include "bytes.h"
#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned block_size = 1024;
constexpr unsigned warps = block_size / warp_size;
constexpr unsigned pitch = bins + 1;  // words from table to table: in the next one, a bin is one bank further on

__global__ void __launch_bounds__(block_size) count_bytes(Bytes bytes, Count* counts) {
    __shared__ unsigned tables[warps * pitch];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < warps * pitch; i += block_size) tables[i] = 0;
    __syncthreads();

    unsigned* table = &tables[t / warp_size * pitch];
    for_each_byte(bytes, [&](unsigned value) { atomicAdd(&table[value], 1); });
    __syncthreads();

    if (t < bins) {
        unsigned sum = 0;
        for (unsigned warp = 0; warp < warps; ++warp) sum += tables[warp * pitch + t];
        atomicAdd(&counts[t], Count{sum});
    }
}

}  // namespace

void copy_per_warp(const std::uint8_t* data, std::size_t n, Count* counts) {
    const Bytes bytes(data, n);
    const unsigned blocks = resident_blocks(count_bytes, block_size, bytes.vectors);
    require_small_shares("5_copy_per_warp", n, blocks);

    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));
    if (n == 0) return;

    count_bytes<<<blocks, block_size>>>(bytes, counts);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"one table per warp: no warp waits for another", copy_per_warp}});

}  // namespace histogram
