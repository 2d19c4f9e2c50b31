// New here: many threads count at once. Two of them may increment the same counter at the same time: atomicAdd() makes
// read, add and write one step, which no other thread can interrupt.
// What remains: all threads of the device share 256 counters. Additions to one address are done one after the other, in
// the L2 cache, and each travels there from its multiprocessor.

#include "common/check.h"
#include "grid.h"
#include "histogram.h"

namespace histogram {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned blocks_per_multiprocessor = 2;  // as in the classic version

__global__ void count_bytes(const std::uint8_t* data, std::size_t n, Count* counts) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&counts[data[i]], Count{1});
}

}  // namespace

void global_atomics(const std::uint8_t* data, std::size_t n, Count* counts) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(Count)));  // all 256, not sizeof(int) bytes
    if (n == 0) return;

    count_bytes<<<blocks_per_multiprocessor * multiprocessors(), block_size>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"one atomic addition in global memory per byte", global_atomics}});

}  // namespace histogram
