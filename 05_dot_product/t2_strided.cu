// New here: the same pairs, but thread t adds the t-th of them. So the lanes of a warp all add, or none does.
// What remains: bank conflicts. In the second step the 32 lanes read words of eight banks, in the third of four.

#include "common/check.h"
#include "trees.h"

namespace trees {
namespace {

constexpr unsigned block_size = values_a_sum;  // a power of two, for the tree

__global__ void add_strided(const float* values, std::size_t n, float* sums) {
    __shared__ float cache[block_size];
    for (std::size_t k = blockIdx.x; k * values_a_sum < n; k += gridDim.x) {
        const std::size_t i = k * values_a_sum + threadIdx.x;
        cache[threadIdx.x] = i < n ? values[i] : 0;
        __syncthreads();

        for (unsigned distance = 1; distance < block_size; distance *= 2) {
            const unsigned left = 2 * distance * threadIdx.x;
            if (left < block_size) cache[left] += cache[left + distance];
            __syncthreads();
        }
        if (threadIdx.x == 0) sums[k] = cache[0];
    }
}

}  // namespace

void strided(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_strided<<<blocks_for(sums_of(n)), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"the same tree, packed lanes: bank conflicts", strided});

}  // namespace trees
