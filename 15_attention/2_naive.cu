// The definition, in three kernels: all scores of a head, the softmax of each row of them, the weighted sums of the
// values. Between the kernels the matrix of n x n scores lies in global memory.
// What remains: the matrix is written three times and read four times, and it has n / d times as many elements as the
// queries.

#include "attention.h"
#include "common/check.h"

namespace attention {
namespace {

constexpr int side = 16;  // of a block: side x side threads

__global__ void compare(Shape shape, const float* queries, const float* keys, float* scores) {
    const int i = blockIdx.y * side + threadIdx.y, j = blockIdx.x * side + threadIdx.x;
    if (i >= shape.n || j >= shape.n) return;
    float sum = 0;
    for (int c = 0; c < shape.d; ++c) sum += queries[i * shape.d + c] * keys[j * shape.d + c];
    scores[std::size_t(i) * shape.n + j] = shape.causal && j > i ? -INFINITY : sum * scale_of(shape.d);
}

/// A block of 32 threads a row.
__global__ void softmax(int n, float* scores) {
    float* row = scores + std::size_t(blockIdx.x) * n;
    float largest = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < n; j += 32) largest = fmaxf(largest, row[j]);
    for (int offset = 16; offset > 0; offset /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, offset));
    for (int j = threadIdx.x; j < n; j += 32) sum += row[j] = expf(row[j] - largest);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
    for (int j = threadIdx.x; j < n; j += 32) row[j] /= sum;
}

__global__ void average(Shape shape, const float* weights, const float* values, float* out) {
    const int i = blockIdx.y * side + threadIdx.y, c = blockIdx.x * side + threadIdx.x;
    if (i >= shape.n) return;
    float sum = 0;
    for (int j = 0; j < shape.n; ++j) sum += weights[std::size_t(i) * shape.n + j] * values[j * shape.d + c];
    out[i * shape.d + c] = sum;
}

}  // namespace

void naive(const Shape& shape, const Input& in, float* out, float* scratch) {
    require_supported(shape);
    const dim3 block(side, side);
    const int rows = (shape.n + side - 1) / side;
    for (int head = 0; head < shape.heads; ++head) {
        const std::size_t at = std::size_t(head) * shape.n * shape.d;
        compare<<<dim3(rows, rows), block>>>(shape, in.floats.queries + at, in.floats.keys + at, scratch);
        CUDA_CHECK_LAUNCH();
        softmax<<<shape.n, 32>>>(shape.n, scratch);
        CUDA_CHECK_LAUNCH();
        average<<<dim3(shape.d / side, rows), block>>>(shape, scratch, in.floats.values + at, out + at);
        CUDA_CHECK_LAUNCH();
    }
}

STAGES(Stage{{"three kernels, with all scores in memory", naive}});

}  // namespace attention
