// New here: 16 bytes a load, from global memory and from shared memory. A thread's 8 × 8 elements are four groups of
// 4 × 4 neighbours, so that it needs four loads from shared memory for 64 multiply-adds, not sixteen.
// What may remain: the bytes of those loads. A warp covers 16 rows and 128 columns of the tile: 576 bytes for each l.

#include "common/check.h"
#include "matrix_multiply.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128, slice = 8;
constexpr unsigned groups = 2;                    // of four rows, and of four columns, for each thread
constexpr unsigned across = tile / (4 * groups);  // threads along a row of the tile
constexpr unsigned block_size = across * across;
static_assert(slice * tile == 4 * block_size, "each thread brings a quad of a slice of a, and one of b");
constexpr unsigned padding = 4;  // 16 rows of two quads of a fall into 32 different banks, and rows stay aligned

template <bool aligned>
__global__ void __launch_bounds__(block_size) multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    __shared__ __align__(16) float a_slice[slice][tile + padding];  // transposed
    __shared__ __align__(16) float b_slice[slice][tile];
    const unsigned t = threadIdx.x, x = t % across * 4, y = t / across * 4;
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
                take_quad(a_part[g], &a_slice[l][y + g * tile / groups]);
                take_quad(b_part[g], &b_slice[l][x + g * tile / groups]);
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
                store_quad<aligned>(c, first_row + y + g * tile / groups + i, first_column + x + h * tile / groups,
                                    sums[g][i][h]);
}

}  // namespace

void vectorized(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    const unsigned blocks = tiles_of(c, tile, tile);
    if (blocks == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        multiply<true><<<blocks, block_size>>>(a, b, c);
    else
        multiply<false><<<blocks, block_size>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"16 bytes per load", vectorized}, Rows::pitched});

}  // namespace matrix_multiply
