// New here: a launch begins before the one ahead of it has ended. Its blocks come to multiprocessors that have room,
// prepare, and wait until all that the launch ahead has stored can be read. The rest is stage 14. What remains: a
// launch that is alone gains nothing. Needs compute capability 9.0.

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
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();            // The launch ahead has ended, and what it stored can be read.
    cudaTriggerProgrammaticLaunchCompletion();  // When all blocks are here, the next launch may begin.
#endif
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
