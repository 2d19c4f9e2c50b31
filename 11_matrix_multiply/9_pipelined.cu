// New here: a pipeline. While one slice is used, others are in flight: asynchronous copies bring them from global to
// shared memory, past the registers, into four buffers, and one barrier a slice is enough. a is transposed on the way,
// four bytes at a time; b comes in quads.
// What remains: at a barrier eight warps wait for the slowest, and only two such blocks share a multiprocessor.

#include <cuda_pipeline.h>

#include "common/check.h"
#include "matrix_multiply.h"
#include "slices.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned tile = 128, slice = 8;
constexpr unsigned buffers = 4;
constexpr unsigned groups = 2;  // of four rows, and of four columns, for each thread
constexpr unsigned block_size = 256;

// What a warp and its lanes cover.
constexpr unsigned lanes_down = 4, lanes_across = 8;
constexpr unsigned warp_rows = lanes_down * 4 * groups, warp_columns = lanes_across * 4 * groups;
constexpr unsigned warps_across = tile / warp_columns;
static_assert(tile / warp_rows * warps_across * 32 == block_size);

template <bool aligned>
__global__ void __launch_bounds__(block_size) multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    using Share = SliceShare<tile, tile, slice, block_size, aligned>;
    __shared__ __align__(16) typename Share::Shared shared[buffers];
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    const unsigned y = warp / warps_across * warp_rows + lane / lanes_across * 4;
    const unsigned x = warp % warps_across * warp_columns + lane % lanes_across * 4;
    const Position first = tile_of_block(c, tile, tile);

    const auto slices = static_cast<unsigned>(count_of(a.columns, slice));
    Share share(a, b, first);
    // Starts a copy past the registers. No thread waits for it until __pipeline_wait_prior().
    const auto start_copy = [](auto* to, const auto* from) { __pipeline_memcpy_async(to, from, sizeof *to); };
    if (slices > 0) share.first(shared[0], static_cast<unsigned>((a.columns - 1) % slice + 1));
    for (unsigned s = 1; s < buffers - 1; ++s) {
        if (s < slices) share.next(shared[s], start_copy);
        __pipeline_commit();
    }

    float sums[groups][4][groups][4] = {};
    for (unsigned s = 0; s < slices; ++s) {
        __pipeline_wait_prior(buffers - 2);
        __syncthreads();  // Slice s has arrived, and all threads are done with slice s - 1: its buffer is free.
        if (s + buffers - 1 < slices) share.next(shared[(s + buffers - 1) % buffers], start_copy);
        __pipeline_commit();
        const auto& now = shared[s % buffers];
#pragma unroll
        for (unsigned l = 0; l < slice; ++l) {
            float a_part[groups][4], b_part[groups][4];
            for (unsigned g = 0; g < groups; ++g) {
                take_quad(a_part[g], &now.a[l][y + g * warp_rows / groups]);
                take_quad(b_part[g], &now.b[l][x + g * warp_columns / groups]);
            }
            add_products(sums, a_part, b_part);
        }
    }

#pragma unroll
    for (unsigned g = 0; g < groups; ++g)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
#pragma unroll
            for (unsigned h = 0; h < groups; ++h)
                store_quad<aligned>(c, first.row + y + g * warp_rows / groups + i,
                                    first.column + x + h * warp_columns / groups, sums[g][i][h]);
}

}  // namespace

void pipelined(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    const unsigned blocks = tiles_of(c, tile, tile);
    if (blocks == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        multiply<true><<<blocks, block_size>>>(a, b, c);
    else
        multiply<false><<<blocks, block_size>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"asynchronous copies: a slice comes while another is used", pipelined}, Rows::pitched});

}  // namespace matrix_multiply
