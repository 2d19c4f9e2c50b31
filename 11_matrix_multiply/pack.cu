// 32 signs become a word. A thread makes one.

#include "pack.h"

#include "common/check.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

constexpr unsigned block_size = 256;

__global__ void pack_rows_kernel(Matrix<const float> a, Matrix<std::uint32_t> packed) {
    const std::size_t index = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (index >= packed.rows * packed.columns) return;
    const std::size_t i = index / packed.columns, w = index % packed.columns;

    std::uint32_t word = 0;
    for (unsigned s = 0; s < 32 && 32 * w + s < a.columns; ++s) word |= std::uint32_t{!(a.row(i)[32 * w + s] < 0)} << s;
    packed.row(i)[w] = word;
}

__global__ void pack_columns_kernel(Matrix<const float> b, Matrix<std::uint32_t> packed) {
    const std::size_t index = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (index >= packed.rows * packed.columns) return;
    const std::size_t w = index / packed.columns, j = index % packed.columns;

    std::uint32_t word = 0;
    for (unsigned s = 0; s < 32 && 32 * w + s < b.rows; ++s) word |= std::uint32_t{!(b.row(32 * w + s)[j] < 0)} << s;
    packed.row(w)[j] = word;
}

unsigned blocks_for(const Matrix<std::uint32_t>& packed) {
    return grid_of((packed.rows * packed.columns + block_size - 1) / block_size);
}

}  // namespace

void pack_rows(Matrix<const float> a, Matrix<std::uint32_t> packed) {
    if (packed.rows * packed.columns == 0) return;
    pack_rows_kernel<<<blocks_for(packed), block_size>>>(a, packed);
    CUDA_CHECK_LAUNCH();
}

void pack_columns(Matrix<const float> b, Matrix<std::uint32_t> packed) {
    if (packed.rows * packed.columns == 0) return;
    pack_columns_kernel<<<blocks_for(packed), block_size>>>(b, packed);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_multiply
