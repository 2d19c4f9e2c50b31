// New here: a block makes a tile of 32 × 32 elements of c, and both matrices pass through shared memory in tiles. Each
// float that is loaded serves 32 multiply-adds instead of one: a sixteenth of the global loads. What remains: two loads
// from shared memory for each multiply-add. It delivers 128 bytes a cycle, which is one load of one warp.
// The variants 16 and 8 have smaller tiles, whose floats serve 16 and 8 multiply-adds.

#include "common/check.h"
#include "matrix_multiply.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

template <unsigned tile>
__global__ void multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    __shared__ float a_tile[tile][tile], b_tile[tile][tile];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const auto [first_row, first_column] = tile_of_block(c, tile, tile);
    const std::size_t i = first_row + y, j = first_column + x;

    float sum = 0;
    for (std::size_t begin = 0; begin < a.columns; begin += tile) {
        a_tile[y][x] = element_or_zero(a, i, begin + x);
        b_tile[y][x] = element_or_zero(b, begin + y, j);
        __syncthreads();
        for (unsigned l = 0; l < tile; ++l) sum += a_tile[y][l] * b_tile[l][x];
        __syncthreads();
    }
    if (i < c.rows && j < c.columns) c.row(i)[j] = sum;
}

template <unsigned tile>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    const unsigned blocks = tiles_of(c, tile, tile);
    if (blocks == 0) return;
    multiply<tile><<<blocks, dim3(tile, tile)>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void tiled(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch<32>(a, b, c);
}

void tiled_16(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch<16>(a, b, c);
}

void tiled_8(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch<8>(a, b, c);
}

STAGES(Stage{{"tiles of 32 x 32 of both in shared memory", tiled}, Rows::pitched},
       Stage{{"16", "tiles of 16 x 16", tiled_16}, Rows::pitched},
       Stage{{"8", "tiles of 8 x 8", tiled_8}, Rows::pitched});

}  // namespace matrix_multiply
