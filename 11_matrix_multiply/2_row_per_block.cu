// The classic version: a block for each row of c. Its threads go along the row side by side, so that the 32 lanes of a
// warp read 32 neighbours of b at a time: coalesced.
// What remains: two loads for each multiply-add. From a cache or from memory, the kernel waits for them.

#include "common/check.h"
#include "common/program.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

__global__ void multiply(const float* a, const float* b, float* c, std::size_t k, std::size_t n) {
    const std::size_t i = blockIdx.x;
    for (std::size_t j = threadIdx.x; j < n; j += blockDim.x) {
        float sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
    }
}

}  // namespace

void row_per_block_with(unsigned threads, Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto [m, k, n] = shape_of(a, b, c);
    if (a.stride != k || b.stride != n || c.stride != n)
        throw usage_error("2_row_per_block wants rows without gaps between them");
    if (m == 0) return;
    multiply<<<grid_of(m), threads>>>(a.data, b.data, c.data, k, n);
    CUDA_CHECK_LAUNCH();
}

void row_per_block(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    row_per_block_with(notes_threads, a, b, c);
}

void row_per_block_32(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    row_per_block_with(32, a, b, c);
}

}  // namespace matrix_multiply
