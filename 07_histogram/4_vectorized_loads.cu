// New here: a thread asks for 16 bytes at once, and for the next 16 before it counts them. As in the curve that
// --blocks-per-sm draws for stage 3, the device is filled with threads.
// What remains: the 32 lanes of a warp add to 32 counters, which lie in 32 banks as chance has it. Lanes that meet in a
// bank take turns.

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

}  // namespace histogram
