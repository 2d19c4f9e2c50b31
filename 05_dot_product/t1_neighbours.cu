// New here: a block makes one sum of 256 values, then the next. In each step, a thread adds to its value the one
// beside it, then the one two away, then four: the first tree that comes to mind.
// What remains: the threads that add are every second lane of a warp, then every fourth, and the others wait.

#include "common/check.h"
#include "trees.h"

namespace trees {
namespace {

constexpr unsigned block_size = values_a_sum;  // a power of two, for the tree

__global__ void add_neighbours(const float* values, std::size_t n, float* sums) {
    __shared__ float cache[block_size];
    for (std::size_t k = blockIdx.x; k * values_a_sum < n; k += gridDim.x) {
        const std::size_t i = k * values_a_sum + threadIdx.x;
        cache[threadIdx.x] = i < n ? values[i] : 0;
        __syncthreads();

        for (unsigned distance = 1; distance < block_size; distance *= 2) {
            if (threadIdx.x % (2 * distance) == 0) cache[threadIdx.x] += cache[threadIdx.x + distance];
            __syncthreads();
        }
        if (threadIdx.x == 0) sums[k] = cache[0];
    }
}

}  // namespace

void neighbours(const float* values, std::size_t n, float* sums) {
    if (n == 0) return;
    add_neighbours<<<blocks_for(sums_of(n)), block_size>>>(values, n, sums);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"each adds its neighbour: lanes diverge", neighbours});

}  // namespace trees
