// New here: a launch begins before the one ahead of it has ended. Its blocks come to multiprocessors that have room,
// prepare, and wait until all that the launch ahead has stored can be read. The rest is stage 14. What remains: a
// launch that is alone gains nothing. Needs compute capability 9.0.

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
    multiply_with_loads_ahead<Tile, aligned>(a, b, c, lane_in_pairs<Tile>(), add, [] {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        cudaGridDependencySynchronize();            // The launch ahead has ended, and what it stored can be read.
        cudaTriggerProgrammaticLaunchCompletion();  // When all blocks are here, the next launch may begin.
#endif
    });
}

template <class Tile, bool aligned>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    constexpr std::size_t bytes = buffers * sizeof(Slice<Tile::rows, Tile::columns, slice>);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<Tile, aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = tiles_of(c, Tile::rows, Tile::columns);
    config.blockDim = Tile::block_size;
    config.dynamicSmemBytes = bytes;
    config.attrs = &early;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, multiply<Tile, aligned>, a, b, c));
}

template <class Tile>
void launch_tiles(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        launch<Tile, true>(a, b, c);
    else
        launch<Tile, false>(a, b, c);
}

constexpr auto tiles = tiles_launched_by(launch_tiles<Wide>, launch_tiles<Square>, launch_tiles<Small>);

}  // namespace

void dependent_launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    best_fit(tiles, c.rows, c.columns, multiprocessors()).launch(a, b, c);
}

STAGES(Stage{{"stage 14, launched before the launch ahead has ended", dependent_launch, programmatic_launch},
             Rows::pitched});

}  // namespace matrix_multiply
