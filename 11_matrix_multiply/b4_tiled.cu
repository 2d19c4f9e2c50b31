// New here: a block makes 16 x 16 elements of c, from tiles of 16 x 16 words that it keeps in shared memory. Each word
// comes from device memory once for 16 uses, and the table, of 256 bytes, is in shared memory too.
// What remains: an 8-way bank conflict. threadIdx.x, in which the lanes of a warp differ, is the row: 16 lanes read
// a_tile[0][w], a_tile[1][w], …, which are 16 words apart and so in two banks of 32. The variant `padded` has a 17th
// column, which no thread uses: then they are 17 words apart, and all in banks of their own.

#include "common/check.h"
#include "ones_in_byte.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 16;

__device__ constexpr OnesInByte ones_in_byte = make_ones_in_byte();

template <unsigned padding>
__global__ void multiply(Packed packed, Matrix<int> c) {
    __shared__ Word a_tile[tile][tile + padding], b_tile[tile][tile + padding];
    __shared__ unsigned char ones[256];
    const unsigned y = threadIdx.x, x = threadIdx.y;  // the element's row and column within the tile
    const unsigned tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const std::size_t i = std::size_t{blockIdx.x / tiles_across} * tile + y;
    const std::size_t j = std::size_t{blockIdx.x % tiles_across} * tile + x;
    ones[y * tile + x] = ones_in_byte.of[y * tile + x];

    unsigned different = 0;
    for (std::size_t first = 0; first < packed.words; first += tile) {
        a_tile[y][x] = packed.a.row(i)[first + x];
        b_tile[y][x] = packed.b.row(first + y)[j];
        __syncthreads();
#pragma unroll
        for (unsigned w = 0; w < tile; ++w) different += count_ones(ones, a_tile[y][w] ^ b_tile[w][x]);
        __syncthreads();  // no thread needs these tiles any more
    }
    if (i < c.rows && j < c.columns) c.row(i)[j] = static_cast<int>(packed.shape.k - 2 * different);
}

template <unsigned padding>
void launch(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    multiply<padding><<<grid_of(tiles), dim3(tile, tile)>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void binary_tiled(const Packed& packed, Matrix<int> c) {
    launch<0>(packed, c);
}

void binary_tiled_padded(const Packed& packed, Matrix<int> c) {
    launch<1>(packed, c);
}

STAGES(BinaryStage{"tiles of 16 x 16 words in shared memory, and the table too", binary_tiled},
       BinaryStage{"padded", "the same with a 17th column that nobody uses", binary_tiled_padded});

}  // namespace matrix_multiply
