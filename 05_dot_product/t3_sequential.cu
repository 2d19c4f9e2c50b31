// New here: other pairs. The upper half is added to the lower half, so that neighbouring threads read neighbouring
// words: no lanes diverge, and no banks are in conflict.
// What remains: eight steps, each with a barrier, and in the last five only some lanes of one warp add.

#include "common/check.h"
#include "trees.h"

namespace trees {
namespace {

constexpr unsigned block_size = values_a_sum;  // a power of two, for the tree

__global__ void add_halves(const float* values, std::size_t n, float* sums) {
    __shared__ float cache[block_size];
    for (std::size_t k = blockIdx.x; k * values_a_sum < n; k += gridDim.x) {
        const std::size_t i = k * values_a_sum + threadIdx.x;
        cache[threadIdx.x] = i < n ? values[i] : 0;
        __syncthreads();

        for (unsigned distance = block_size / 2; distance > 0; distance /= 2) {
            if (threadIdx.x < distance) cache[threadIdx.x] += cache[threadIdx.x + distance];
            __syncthreads();
        }
        if (threadIdx.x == 0) sums[k] = cache[0];
    }
}

}  // namespace

void sequential(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_halves<<<blocks_for(sums_of(n)), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"the upper half to the lower half", sequential});

}  // namespace trees
