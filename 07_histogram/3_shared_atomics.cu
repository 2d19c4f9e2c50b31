// New here: each block counts in its own table in shared memory, and adds it to the result once, at the end. 256
// atomics a block go to the L2 cache instead of one a byte, and while it counts, a block contends only with itself.
// What remains: each load fetches one byte, and a multiprocessor that could hold eight blocks gets two.

#include <limits>

#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned block_size = 256;  // a thread for each bin

__global__ void count_bytes(const std::uint8_t* data, std::size_t n, Count* counts) {
    __shared__ unsigned table[bins];
    table[threadIdx.x] = 0;
    __syncthreads();

    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&table[data[i]], 1);
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], Count{table[threadIdx.x]});
}

}  // namespace

void shared_atomics(const std::uint8_t* data, std::size_t n, Count* counts, std::size_t blocks_per_multiprocessor) {
    constexpr std::size_t most = std::numeric_limits<int>::max();  // gridDim.x
    if (blocks_per_multiprocessor > most / multiprocessors())
        throw usage_error("a grid has at most " + std::to_string(most) + " blocks, which are " +
                          std::to_string(most / multiprocessors()) + " for each of this device's multiprocessors");
    const auto blocks = static_cast<unsigned>(blocks_per_multiprocessor * multiprocessors());
    require_small_shares("3_shared_atomics", n, blocks);

    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));
    if (n == 0) return;

    count_bytes<<<blocks, block_size>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}

void shared_atomics(const std::uint8_t* data, std::size_t n, Count* counts) {
    shared_atomics(data, n, counts, 2);
}

STAGES(Stage{{"one table per block, in shared memory", shared_atomics}});

}  // namespace histogram
