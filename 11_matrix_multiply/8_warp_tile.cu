// New here: the shape of a warp's part of the tile. The lanes form 4 rows of 8, not 2 of 16, so that a warp covers 32
// rows and 64 columns of the tile instead of 16 and 128: as many elements from two thirds of the bytes, 384 for each l.
// Shared memory delivers them in as many wavefronts as before, though: stage 13 is the first to need fewer.
// What remains: first all threads wait for a slice, then all of them compute. Loads and arithmetic do not overlap.

#include "common/check.h"
#include "matrix_multiply.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128, slice = 8;
constexpr unsigned groups = 2;  // of four rows, and of four columns, for each thread
constexpr unsigned block_size = 256;
constexpr unsigned padding = 4;  // 16 rows of two quads of a fall into 32 different banks, and rows stay aligned

// What a warp and its lanes cover.
constexpr unsigned lanes_down = 4, lanes_across = 8;
constexpr unsigned warp_rows = lanes_down * 4 * groups, warp_columns = lanes_across * 4 * groups;
constexpr unsigned warps_across = tile / warp_columns;
static_assert(tile / warp_rows * warps_across * 32 == block_size);

template <bool aligned>
__global__ void __launch_bounds__(block_size) multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    __shared__ __align__(16) float a_slice[slice][tile + padding];  // transposed
    __shared__ __align__(16) float b_slice[slice][tile];
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    const unsigned y = warp / warps_across * warp_rows + lane / lanes_across * 4;
    const unsigned x = warp % warps_across * warp_columns + lane % lanes_across * 4;
    const auto [first_row, first_column] = tile_of_block(c, tile, tile);

    float sums[groups][4][groups][4] = {};
    for (std::size_t begin = 0; begin < a.columns; begin += slice) {
        const unsigned a_row = t / (slice / 4), a_column = t % (slice / 4) * 4;
        const float4 a_quad = quad_or_zeros<aligned>(a, first_row + a_row, begin + a_column);
        a_slice[a_column][a_row] = a_quad.x;
        a_slice[a_column + 1][a_row] = a_quad.y;
        a_slice[a_column + 2][a_row] = a_quad.z;
        a_slice[a_column + 3][a_row] = a_quad.w;
        const unsigned b_row = t / (tile / 4), b_column = t % (tile / 4) * 4;
        *quad_at(&b_slice[b_row][b_column]) = quad_or_zeros<aligned>(b, begin + b_row, first_column + b_column);
        __syncthreads();
#pragma unroll
        for (unsigned l = 0; l < slice; ++l) {
            float a_part[groups][4], b_part[groups][4];
            for (unsigned g = 0; g < groups; ++g) {
                take_quad(a_part[g], &a_slice[l][y + g * warp_rows / groups]);
                take_quad(b_part[g], &b_slice[l][x + g * warp_columns / groups]);
            }
            add_products(sums, a_part, b_part);
        }
        __syncthreads();
    }

#pragma unroll
    for (unsigned g = 0; g < groups; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < groups; ++h)
                store_quad<aligned>(c, first_row + y + g * warp_rows / groups + i,
                                    first_column + x + h * warp_columns / groups, sums[g][i][h]);
}

}  // namespace

void warp_tile(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    const unsigned blocks = tiles_of(c, tile, tile);
    if (blocks == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        multiply<true><<<blocks, block_size>>>(a, b, c);
    else
        multiply<false><<<blocks, block_size>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"a warp's elements in a square rather than a strip", warp_tile}, Rows::pitched});

}  // namespace matrix_multiply
