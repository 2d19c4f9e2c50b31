// New here: a thread loads 16 bytes at once, and the next 16 are in flight before it counts them. The grid fills the
// device with threads: the curve that --blocks-per-sm draws for stage 3 shows why.
// What remains: bank conflicts. The 32 lanes of a warp add to counters that lie in the 32 banks at random, and
// additions in one bank are done one after the other.

#include "bytes.h"
#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned block_size = 1024;

__global__ void __launch_bounds__(block_size) count_bytes(Bytes bytes, Count* counts) {
    __shared__ unsigned table[bins];
    const unsigned t = threadIdx.x;
    if (t < bins) table[t] = 0;
    __syncthreads();

    for_each_byte(bytes, [&](unsigned value) { atomicAdd(&table[value], 1); });
    __syncthreads();

    if (t < bins) atomicAdd(&counts[t], Count{table[t]});
}

}  // namespace

void vectorized_loads(const std::uint8_t* data, std::size_t n, Count* counts) {
    const Bytes bytes(data, n);
    const unsigned blocks = resident_blocks(count_bytes, block_size, bytes.vectors);
    require_small_shares("4_vectorized_loads", n, blocks);

    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));
    if (n == 0) return;

    count_bytes<<<blocks, block_size>>>(bytes, counts);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"16 bytes per load, as many threads as the device holds", vectorized_loads}});

}  // namespace histogram
