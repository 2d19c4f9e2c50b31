// New here: a block copies its row of a to shared memory before it begins. This saves little, since a row of 1000 signs
// is 32 words, which a cache holds as well. A row that is too long comes in pieces.
// What remains: every block still reads all of b, and the table is in device memory.

#include "common/check.h"
#include "ones_in_byte.h"

namespace matrix_multiply {
namespace {

constexpr unsigned block_size = 256, piece = 1024;  // in words

__device__ constexpr OnesInByte ones_in_byte = make_ones_in_byte();

__global__ void multiply(Packed packed, Matrix<int> c) {
    __shared__ Word a_row[piece];
    for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x)
        c.row(blockIdx.x)[j] = static_cast<int>(packed.shape.k);

    for (std::size_t first = 0; first < packed.words; first += piece) {
        const unsigned count = packed.words - first < piece ? static_cast<unsigned>(packed.words - first) : piece;
        for (unsigned w = threadIdx.x; w < count; w += blockDim.x) a_row[w] = packed.a.row(blockIdx.x)[first + w];
        __syncthreads();
        for (std::size_t j = threadIdx.x; j < c.columns; j += blockDim.x) {
            unsigned different = 0;
            for (unsigned w = 0; w < count; ++w)
                different += count_ones(ones_in_byte.of, a_row[w] ^ packed.b.row(first + w)[j]);
            c.row(blockIdx.x)[j] -= static_cast<int>(2 * different);
        }
        __syncthreads();  // no thread needs this piece any more
    }
}

}  // namespace

void binary_row_in_shared(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0) return;
    multiply<<<grid_of(c.rows), block_size>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(BinaryStage{"a block keeps its row of a in shared memory", binary_row_in_shared});

}  // namespace matrix_multiply
