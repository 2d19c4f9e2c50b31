// New here: 32 tables for each block, side by side, so that bin v of table l is word 32 · v + l. Lane l counts in table
// l: whatever the values are, its counter is in bank l, and no two lanes of a warp conflict. Warps share the tables,
// so the additions are atomic. The counters have 32 bits: they do not overflow, and an increment is one instruction.
// What remains: the bytes have to be read.

#include "bytes.h"
#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned block_size = 1024;

__global__ void __launch_bounds__(block_size) count_bytes(Bytes bytes, Count* counts) {
    __shared__ unsigned tables[bins * warp_size];
    const unsigned t = threadIdx.x, lane = t % warp_size;
    for (unsigned i = t; i < bins * warp_size; i += block_size) tables[i] = 0;
    __syncthreads();

    for_each_byte(bytes, [&](unsigned value) { atomicAdd(&tables[value * warp_size + lane], 1); });
    __syncthreads();

    if (t < bins) {
        unsigned sum = 0;
        for (unsigned j = 0; j < warp_size; ++j) sum += tables[t * warp_size + (j + t) % warp_size];  // a bank a lane
        atomicAdd(&counts[t], Count{sum});
    }
}

}  // namespace

void column_per_lane(const std::uint8_t* data, std::size_t n, Count* counts) {
    const Bytes bytes(data, n);
    const unsigned blocks = resident_blocks(count_bytes, block_size, bytes.vectors);
    require_small_shares("7_column_per_lane", n, blocks);

    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));
    if (n == 0) return;

    count_bytes<<<blocks, block_size>>>(bytes, counts);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"32 tables side by side: each lane has a bank to itself", column_per_lane}});

}  // namespace histogram
