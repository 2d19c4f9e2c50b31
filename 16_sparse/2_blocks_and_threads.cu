// New here: blocks of 256 threads. Eight full warps work instead of 256 almost empty ones, and the 32 lanes of a warp
// read 32 neighbouring floats, so a request is four whole sectors of 32 bytes.
// What remains: each thread computes its index, adds once and ends; the grid grows with n.
// The variant strided() does the same work with lanes that are far apart: a request is 32 sectors.

#include "common/check.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256;

__global__ void add(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];  // The last block has threads to spare unless 256 divides n.
}

/// Each lane has a part of the array to itself, as a thread of a CPU would: what suits a CPU is wrong for a warp.
__global__ void add_strided(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t lane = thread % 32, warp = thread / 32, part = (n + 31) / 32;
    const std::size_t i = lane * part + warp;
    if (warp < part && i < n) c[i] = a[i] + b[i];
}

unsigned blocks_for(std::size_t threads) {
    return static_cast<unsigned>((threads + block_size - 1) / block_size);
}

}  // namespace

void blocks_and_threads(const float* a, const float* b, float* c, std::size_t n) {
    if (n == 0) return;
    add<<<blocks_for(n), block_size>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}

void strided(const float* a, const float* b, float* c, std::size_t n) {
    if (n == 0) return;
    add_strided<<<blocks_for((n + 31) / 32 * 32), block_size>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"256 threads per block: whole warps work", blocks_and_threads},
       Stage{"strided", "the same, but lanes far apart: one sector per lane", strided});

}  // namespace sparse
