// New here: a block a row, for long rows. The parts of its warps meet in shared memory.
// What remains: the second pass reads the row again, if not from a cache.

#include "common/check.h"
#include "softmax.h"

namespace softmax {
namespace {

constexpr int warps = 8, threads = warps * 32;

__device__ Part combined(Part a, Part b) {
    const float largest = fmaxf(a.largest, b.largest);
    if (largest == -INFINITY) return a;
    return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__global__ void soften(Shape shape, const float* in, float* out) {
    __shared__ Part parts[warps];
    const std::size_t first = std::size_t(blockIdx.x) * shape.columns;
    Part part{-INFINITY, 0};
    for (int j = threadIdx.x; j < shape.columns; j += threads) part = combined(part, {in[first + j], 1});
    for (int offset = 16; offset > 0; offset /= 2)
        part = combined(
            part, {__shfl_xor_sync(0xffffffff, part.largest, offset), __shfl_xor_sync(0xffffffff, part.sum, offset)});
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = part;
    __syncthreads();
    part = parts[0];
    for (int warp = 1; warp < warps; ++warp) part = combined(part, parts[warp]);
    for (int j = threadIdx.x; j < shape.columns; j += threads)
        out[first + j] = expf(in[first + j] - part.largest) / part.sum;
}

}  // namespace

void block_per_row(const Shape& shape, const float* in, float* out) {
    soften<<<shape.rows, threads>>>(shape, in, out);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"one block per row, and warps combine their parts", block_per_row});

}  // namespace softmax
