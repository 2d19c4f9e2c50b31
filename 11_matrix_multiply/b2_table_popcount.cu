// As in the notes: a block for each row of c, and the product of 32 signs is one exclusive or. Its ones are the
// products that are -1; a table knows how many there are in a byte.

#include "binary.h"
#include "common/check.h"

namespace matrix_multiply {
namespace {

constexpr unsigned block_size = 256;

__device__ unsigned char ones_in_byte[256];

__device__ int count_ones(std::uint32_t word) {
    return ones_in_byte[word & 0xff] + ones_in_byte[word >> 8 & 0xff] + ones_in_byte[word >> 16 & 0xff] +
           ones_in_byte[word >> 24];
}

__global__ void fill_table() {
    ones_in_byte[threadIdx.x] = static_cast<unsigned char>(__popc(threadIdx.x));
}

__global__ void multiply(Matrix<const std::uint32_t> a, Matrix<const std::uint32_t> b, int k, Matrix<int> c) {
    for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
        int minus_ones = 0;
        for (std::size_t w = 0; w < a.columns; ++w) minus_ones += count_ones(a.row(blockIdx.x)[w] ^ b.row(w)[j]);
        c.row(blockIdx.x)[j] = k - 2 * minus_ones;
    }
}

}  // namespace

void table_popcount(Matrix<const std::uint32_t> a, Matrix<const std::uint32_t> b, std::size_t k, Matrix<int> c) {
    const Shape shape = shape_of(a, b, c);
    if (shape.m == 0) return;
    fill_table<<<1, 256>>>();
    CUDA_CHECK_LAUNCH();
    multiply<<<grid_of(shape.m), block_size>>>(a, b, static_cast<int>(k), c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace matrix_multiply
