// New here: a warp a row, so that its lanes read neighbours. Each lane has a part of the row: its largest number and
// its sum. Five exchanges combine the 32 parts: a part is corrected as the sum of stage s3 is. What remains: a warp has
// few bytes in flight, and with few rows much of the device has no work.

#include "common/check.h"
#include "softmax.h"

namespace softmax {
namespace {

constexpr int warps = 4;  // of a block

/// Of parts without a number the largest is -infinity. The difference of two of these is no number.
__device__ Part combined(Part a, Part b) {
    const float largest = fmaxf(a.largest, b.largest);
    if (largest == -INFINITY) return a;
    return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__global__ void soften(Shape shape, const float* in, float* out) {
    const int i = blockIdx.x * warps + threadIdx.y;
    if (i >= shape.rows) return;
    const float* row = in + std::size_t(i) * shape.columns;
    Part part{-INFINITY, 0};
    for (int j = threadIdx.x; j < shape.columns; j += 32) part = combined(part, {row[j], 1});
    for (int offset = 16; offset > 0; offset /= 2)
        part = combined(
            part, {__shfl_xor_sync(0xffffffff, part.largest, offset), __shfl_xor_sync(0xffffffff, part.sum, offset)});
    for (int j = threadIdx.x; j < shape.columns; j += 32)
        out[std::size_t(i) * shape.columns + j] = expf(row[j] - part.largest) / part.sum;
}

}  // namespace

void warp_per_row(const Shape& shape, const float* in, float* out) {
    soften<<<(shape.rows + warps - 1) / warps, dim3(32, warps)>>>(shape, in, out);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"one warp per row, and lanes combine their parts", warp_per_row});

}  // namespace softmax
