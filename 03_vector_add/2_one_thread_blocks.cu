// New here: the loop is gone. Each element gets a block of its own, and the block's index says which element it is.
// What remains: a warp of 32 lanes for each block, 31 of them idle. A multiprocessor holds 32 blocks at most, so 32
// threads ask for data where 2048 would fit, and each request fetches a sector of 32 bytes for the 4 that it wants.

#include "common/check.h"
#include "common/errors.h"
#include "vector_add.h"

namespace vector_add {
namespace {

constexpr std::size_t max_blocks = 2147483647;  // gridDim.x on every device since compute capability 3.0

__global__ void add(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = blockIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

void one_thread_blocks(const float* a, const float* b, float* c, std::size_t n) {
    if (n == 0) return;  // A grid of no blocks is an error.
    if (n > max_blocks)
        throw usage_error("2_one_thread_blocks: a grid has at most 2147483647 blocks, so that is the largest --n");

    add<<<static_cast<unsigned>(n), 1>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"one block of one thread per element", one_thread_blocks});

}  // namespace vector_add
