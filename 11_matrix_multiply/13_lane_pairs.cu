// New here: the places of the lanes in the warp's tile. One wavefront serves a load of 16 bytes for eight lanes, or for
// sixteen if every two neighbours read the same quad. So neighbours are one above the other and share a quad of b, and
// eight lanes are two high and four wide: two wavefronts for an average load, not three.
// What remains: sizes whose tiles do not fill the device.

#include <cuda_pipeline.h>

#include "common/check.h"
#include "matrix_multiply.h"
#include "slices.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned slice = 16, buffers = 4;
constexpr unsigned blocks_at_once = 3;  // on a multiprocessor, at least

/// A block's tile, what a warp covers of it, and how many groups of four rows and of four columns a thread has.
struct Tile {
    static constexpr unsigned rows = 64, columns = 128, warp_rows = 32, warp_columns = 64, row_groups = 2,
                              column_groups = 2;
    static constexpr unsigned lanes_across = warp_columns / (4 * column_groups);
    static constexpr unsigned warps_across = columns / warp_columns;
    static constexpr unsigned block_size = 32 * (rows / warp_rows) * warps_across;
    static_assert(warp_rows / (4 * row_groups) * lanes_across == 32);
};

template <bool aligned>
__global__ void __launch_bounds__(Tile::block_size, blocks_at_once)
    multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    using Share = SliceShare<Tile::rows, Tile::columns, slice, Tile::block_size, aligned>;
    extern __shared__ __align__(16) unsigned char dynamic[];
    const auto shared = reinterpret_cast<typename Share::Shared*>(dynamic);
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    // Lane 0 is above lane 1; lane 2 above lane 3 is to their right, and so on; then the next two rows of lanes.
    const unsigned lane_row = lane / (2 * Tile::lanes_across) * 2 + lane % 2,
                   lane_column = lane / 2 % Tile::lanes_across;
    const unsigned y = warp / Tile::warps_across * Tile::warp_rows + lane_row * 4;
    const unsigned x = warp % Tile::warps_across * Tile::warp_columns + lane_column * 4;
    const Position first = tile_of_block(c, Tile::rows, Tile::columns);

    const auto slices = static_cast<unsigned>(count_of(a.columns, slice));
    Share share(a, b, first);
    // Starts a copy past the registers. No thread waits for it until __pipeline_wait_prior().
    const auto start_copy = [](auto* to, const auto* from) { __pipeline_memcpy_async(to, from, sizeof *to); };
    if (slices > 0) share.first(shared[0], static_cast<unsigned>((a.columns - 1) % slice + 1));
    for (unsigned s = 1; s < buffers - 1; ++s) {
        if (s < slices) share.next(shared[s], start_copy);
        __pipeline_commit();
    }

    // The operands of an even l and of an odd one: while one pair is used, the other is loaded.
    float a_part[2][Tile::row_groups][4], b_part[2][Tile::column_groups][4];
    const auto take = [&](const auto& from, unsigned l) {
        for (unsigned g = 0; g < Tile::row_groups; ++g)
            take_quad(a_part[l % 2][g], &from.a[l][y + g * Tile::warp_rows / Tile::row_groups]);
        for (unsigned g = 0; g < Tile::column_groups; ++g)
            take_quad(b_part[l % 2][g], &from.b[l][x + g * Tile::warp_columns / Tile::column_groups]);
    };

    float sums[Tile::row_groups][4][Tile::column_groups][4] = {};
    __pipeline_wait_prior(buffers - 2);
    __syncthreads();
    if (slices > 0) take(shared[0], 0);
    const auto after = [&](auto* buffer) { return buffer == shared + buffers - 1 ? shared : buffer + 1; };
    auto *now = shared, *free = shared + buffers - 1;
    for (unsigned s = 0; s < slices; ++s) {
#pragma unroll
        for (unsigned l = 0; l < slice; ++l) {
            if (l == 0) {
                if (s + buffers - 1 < slices) share.next(*free, start_copy);
                __pipeline_commit();
                free = after(free);
            }
            if (l == slice - 1) {
                __pipeline_wait_prior(buffers - 2);
                __syncthreads();  // The next slice has arrived, and all threads have read what they need of this one.
                now = after(now);
            }
            if (l + 1 < slice || s + 1 < slices) take(*now, (l + 1) % slice);
            add_products(sums, a_part[l % 2], b_part[l % 2]);
        }
    }

#pragma unroll
    for (unsigned g = 0; g < Tile::row_groups; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < Tile::column_groups; ++h)
                store_quad<aligned>(c, first.row + y + g * Tile::warp_rows / Tile::row_groups + i,
                                    first.column + x + h * Tile::warp_columns / Tile::column_groups, sums[g][i][h]);
}

template <bool aligned>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    constexpr std::size_t bytes = buffers * sizeof(Slice<Tile::rows, Tile::columns, slice>);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<aligned><<<tiles_of(c, Tile::rows, Tile::columns), Tile::block_size, bytes>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void lane_pairs(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        launch<true>(a, b, c);
    else
        launch<false>(a, b, c);
}

STAGES(Stage{{"two lanes share a quad of b: fewer wavefronts", lane_pairs, more_than_48_kib}, Rows::pitched});

}  // namespace matrix_multiply
