// New here: x and y change places, and nothing else. Now 16 lanes are in the same row: they read one word of a_tile,
// which is no bank conflict, and 16 neighbours of b_tile. No padding is needed. They also read and write device memory
// along its rows, 64 bytes side by side, where b4 has 16 pieces of 8 bytes.
// What remains: five loads from shared memory for each word, of which four look up bytes.
// The variants 8 and 4 have smaller tiles, whose words serve 8 and 4 elements. A block of 4 x 4 threads is half a warp.

#include "common/check.h"
#include "ones_in_byte.h"

namespace matrix_multiply {
namespace {

__device__ constexpr OnesInByte ones_in_byte = make_ones_in_byte();

template <unsigned tile>
__global__ void multiply(Packed packed, Matrix<int> c) {
    __shared__ Word a_tile[tile][tile], b_tile[tile][tile];
    __shared__ unsigned char ones[256];
    const unsigned y = threadIdx.y, x = threadIdx.x;  // the element's row and column within the tile
    const unsigned tiles_across = static_cast<unsigned>((c.columns + tile - 1) / tile);
    const std::size_t i = std::size_t{blockIdx.x / tiles_across} * tile + y;
    const std::size_t j = std::size_t{blockIdx.x % tiles_across} * tile + x;
    for (unsigned first = 0; first < 256; first += tile * tile)
        ones[first + y * tile + x] = ones_in_byte.of[first + y * tile + x];

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

template <unsigned tile>
void launch(const Packed& packed, Matrix<int> c) {
    require_fits(packed, c);
    if (c.rows == 0 || c.columns == 0) return;
    const std::size_t tiles = round_up(c.rows, tile) / tile * (round_up(c.columns, tile) / tile);
    multiply<tile><<<grid_of(tiles), dim3(tile, tile)>>>(packed, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void binary_conflict_free(const Packed& packed, Matrix<int> c) {
    launch<16>(packed, c);
}

void binary_conflict_free_8(const Packed& packed, Matrix<int> c) {
    launch<8>(packed, c);
}

void binary_conflict_free_4(const Packed& packed, Matrix<int> c) {
    launch<4>(packed, c);
}

STAGES(BinaryStage{"x and y swapped: a warp goes along the rows", binary_conflict_free},
       BinaryStage{"8", "tiles of 8 x 8 words", binary_conflict_free_8},
       BinaryStage{"4", "tiles of 4 x 4 words", binary_conflict_free_4});

}  // namespace matrix_multiply
