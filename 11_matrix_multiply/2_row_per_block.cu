// The classic version: a block for each row of c. Its threads go along the row side by side, so that the 32 lanes of a
// warp read 32 neighbours of b at a time: coalesced.
// What remains: two loads for each multiply-add. From a cache or from memory, the kernel waits for them.

#include <algorithm>
#include <limits>

#include "common/check.h"
#include "common/errors.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

template <class Index>
__global__ void multiply(const float* a, const float* b, float* c, Index k, Index n) {
    const Index i = blockIdx.x;
    const float* a_row = a + i * k;
    for (Index j = threadIdx.x; j < n; j += blockDim.x) {
        float sum = 0;
        for (Index l = 0; l < k; ++l) sum += a_row[l] * b[l * n + j];
        c[i * n + j] = sum;
    }
}

/// Whether an int can be the index of each element, and the j at which each thread of a block stops.
bool int_is_enough(Shape shape) {
    const auto [m, k, n] = shape;
    constexpr std::size_t most = std::numeric_limits<int>::max(), largest_block = 1024;
    return std::max({m * k, k * n, m * n, n + largest_block}) <= most;
}

template <class Index>
void launch(unsigned threads, Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto [m, k, n] = shape_of(a, b, c);
    if (a.stride != k || b.stride != n || c.stride != n)
        throw usage_error("2_row_per_block wants rows without gaps between them");
    if (m == 0) return;
    multiply<Index><<<grid_of(m), threads>>>(a.data, b.data, c.data, static_cast<Index>(k), static_cast<Index>(n));
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void row_per_block_with(unsigned threads, Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    if (int_is_enough(shape_of(a, b, c)))
        launch<int>(threads, a, b, c);
    else
        launch<std::size_t>(threads, a, b, c);
}

void row_per_block(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    row_per_block_with(usual_threads, a, b, c);
}

void row_per_block_32(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    row_per_block_with(32, a, b, c);
}

void row_per_block_long_indices(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch<std::size_t>(usual_threads, a, b, c);
}

STAGES(Stage{{"one block per row of c", row_per_block}},
       Stage{{"32", "32 threads per block, not 256", row_per_block_32}},
       Stage{{"long_indices", "indices of 64 bits, not of 32", row_per_block_long_indices}});

}  // namespace matrix_multiply
