// New here: blocks of 256 threads. Eight full warps work instead of 256 almost empty ones, and the 32 lanes of a warp
// read 32 neighbouring floats, so a request is four whole sectors of 32 bytes.
// What remains: each thread computes its index, adds once and ends; the grid grows with n.

#include "common/check.h"
#include "vector_add.h"

namespace vector_add {
namespace {

constexpr unsigned block_size = 256;

__global__ void add(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];  // The last block has threads to spare unless 256 divides n.
}

}  // namespace

void blocks_and_threads(const float* a, const float* b, float* c, std::size_t n) {
    if (n == 0) return;
    const std::size_t blocks = (n + block_size - 1) / block_size;

    add<<<static_cast<unsigned>(blocks), block_size>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}

}  // namespace vector_add
