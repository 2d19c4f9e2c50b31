// New here: the tile fits the problem. Smaller tiles are chosen where tiles of 64 × 128 would leave multiprocessors
// idle, from the start or at the end. And a thread adds its products in an order in which neighbours share a factor.
// What remains: loads, too, are instructions that must be issued.

#include <cuda_pipeline.h>

#include "common/check.h"
#include "common/device.h"
#include "fitted_tiles.h"
#include "matrix_multiply.h"
#include "slices.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned slice = 16, buffers = 4;
constexpr unsigned blocks_at_once = 3;  // on a multiprocessor, at least

template <class Tile, bool aligned>
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
            add_to_and_fro(sums, a_part[l % 2], b_part[l % 2]);
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

template <class Tile, bool aligned>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    constexpr std::size_t bytes = buffers * sizeof(Slice<Tile::rows, Tile::columns, slice>);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<Tile, aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<Tile, aligned><<<tiles_of(c, Tile::rows, Tile::columns), Tile::block_size, bytes>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

template <class Tile>
void launch_tiles(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        launch<Tile, true>(a, b, c);
    else
        launch<Tile, false>(a, b, c);
}

}  // namespace

void fitted_64x128(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch_tiles<Wide>(a, b, c);
}

void fitted_64x64(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch_tiles<Square>(a, b, c);
}

void fitted_32x64(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    launch_tiles<Small>(a, b, c);
}

static constexpr auto tiles = tiles_launched_by(fitted_64x128, fitted_64x64, fitted_32x64);

std::span<const FittedTile> fitted_tiles() {
    return tiles;
}

const FittedTile& fitted_tile_for(std::size_t m, std::size_t n, unsigned multiprocessors) {
    return best_fit(tiles, m, n, multiprocessors);
}

void fitted(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    fitted_tile_for(c.rows, c.columns, multiprocessors()).launch(a, b, c);
}

STAGES(Stage{{"smaller tiles where they fill the device, and products to and fro", fitted, more_than_48_kib},
             Rows::pitched},
       Stage{{"64x128", "tiles of 64 x 128, whatever the size", fitted_64x128, more_than_48_kib}, Rows::pitched},
       Stage{{"64x64", "tiles of 64 x 64, whatever the size", fitted_64x64}, Rows::pitched},
       Stage{{"32x64", "tiles of 32 x 64, whatever the size", fitted_32x64}, Rows::pitched});

}  // namespace matrix_multiply
