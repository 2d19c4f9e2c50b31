// As in the notes: a block for each row of c, and its threads go along the row side by side, so that the 32 lanes of a
// warp read 32 neighbours of b at a time. What remains: two loads for each multiply-add. Whether they are served by a
// cache or by the memory, they are what the kernel waits for.

#include "common/check.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

__global__ void multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const float* a_row = a.row(blockIdx.x);
    for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
        float sum = 0;
        for (std::size_t l = 0; l < a.columns; ++l) sum += a_row[l] * b.row(l)[j];
        c.row(blockIdx.x)[j] = sum;
    }
}

}  // namespace

void row_per_block_with(unsigned threads, Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const Shape shape = shape_of(a, b, c);
    if (shape.m == 0) return;
    multiply<<<grid_of(shape.m), threads>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

void row_per_block(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    row_per_block_with(notes_threads, a, b, c);
}

}  // namespace matrix_multiply
