// New here: a warp for each sum. Each lane adds eight values one after the other, and only then the warp shuffles,
// once. No warp waits for another one: there is no barrier.
// What remains: the memory.

#include "common/check.h"
#include "trees.h"

namespace trees {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned warp_size = 32;
constexpr unsigned warps = block_size / warp_size;

/// For lane 0.
__device__ float warp_sum(float value) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

__global__ void add_in_warps(const float* values, std::size_t n, float* sums) {
    const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    for (std::size_t k = std::size_t{blockIdx.x} * warps + warp; k * values_a_sum < n; k += gridDim.x * warps) {
        float sum = 0;
        for (unsigned j = 0; j < values_a_sum; j += warp_size) {
            const std::size_t i = k * values_a_sum + j + lane;
            sum += i < n ? values[i] : 0;
        }
        sum = warp_sum(sum);
        if (lane == 0) sums[k] = sum;
    }
}

}  // namespace

void add_first(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_in_warps<<<blocks_for((sums_of(n) + warps - 1) / warps), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"one warp per sum: eight values per lane first", add_first});

}  // namespace trees
