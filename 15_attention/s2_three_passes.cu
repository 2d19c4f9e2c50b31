// The definition: one thread a row, three passes over it. The largest number is subtracted first: exp() of a float
// overflows beyond 88, and the quotient is the same.
// What remains: each number is read three times, and the 32 lanes of a warp read in 32 different rows.

#include "common/check.h"
#include "softmax.h"

namespace softmax {
namespace {

constexpr int threads = 128;

__global__ void soften(Shape shape, const float* in, float* out) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i >= shape.rows) return;
    const float* row = in + std::size_t(i) * shape.columns;
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < shape.columns; ++j) largest = fmaxf(largest, row[j]);
    for (int j = 0; j < shape.columns; ++j) sum += expf(row[j] - largest);
    for (int j = 0; j < shape.columns; ++j) out[std::size_t(i) * shape.columns + j] = expf(row[j] - largest) / sum;
}

}  // namespace

void three_passes(const Shape& shape, const float* in, float* out) {
    soften<<<(shape.rows + threads - 1) / threads, threads>>>(shape, in, out);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"one thread per row: largest, sum, quotients", three_passes});

}  // namespace softmax
