// New here: the tile fits the problem. Smaller tiles are chosen where tiles of 64 × 128 would leave multiprocessors
// idle, from the start or at the end. And a thread adds its products in an order in which neighbours share a factor.
// What remains: loads, too, are instructions that must be issued.

#include "common/check.h"
#include "common/device.h"
#include "fitted_tiles.h"
#include "loads_ahead.h"
#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

template <class Tile, bool aligned>
__global__ void __launch_bounds__(Tile::block_size, blocks_at_once)
    multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    const auto add = [](auto& sums, const auto& a_part, const auto& b_part) { add_to_and_fro(sums, a_part, b_part); };
    multiply_with_loads_ahead<Tile, aligned>(a, b, c, lane_in_pairs<Tile>(), add);
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
