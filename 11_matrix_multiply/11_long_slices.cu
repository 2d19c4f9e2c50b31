// New here: slices of 16 values of l, and so half as many barriers. Four buffers are 49 KiB, more than a kernel gets
// without asking, so that the launch says how much shared memory it needs. Needs compute capability 7.0, as do the
// stages after it: older devices have no more than 48 KiB for a block.
// What remains: after each barrier, a warp waits for the slice's first operands from shared memory.

#include <cuda_pipeline.h>

#include "common/check.h"
#include "matrix_multiply.h"
#include "slices.h"
#include "tiles.h"

namespace matrix_multiply {
namespace {

constexpr unsigned slice = 16, buffers = 4;
constexpr unsigned blocks_at_once = 3;  // on a multiprocessor, at least

template <bool aligned>
__global__ void __launch_bounds__(Wide::block_size, blocks_at_once)
    multiply(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    using Share = SliceShare<Wide::rows, Wide::columns, slice, Wide::block_size, aligned>;
    extern __shared__ __align__(16) unsigned char dynamic[];
    const auto shared = reinterpret_cast<typename Share::Shared*>(dynamic);
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    const unsigned lane_row = lane / Wide::lanes_across, lane_column = lane % Wide::lanes_across;
    const unsigned y = warp / Wide::warps_across * Wide::warp_rows + lane_row * 4;
    const unsigned x = warp % Wide::warps_across * Wide::warp_columns + lane_column * 4;
    const Position first = tile_of_block(c, Wide::rows, Wide::columns);

    const auto slices = static_cast<unsigned>(count_of(a.columns, slice));
    Share share(a, b, first);
    // Starts a copy past the registers. No thread waits for it until __pipeline_wait_prior().
    const auto start_copy = [](auto* to, const auto* from) { __pipeline_memcpy_async(to, from, sizeof *to); };
    if (slices > 0) share.first(shared[0], static_cast<unsigned>((a.columns - 1) % slice + 1));
    for (unsigned s = 1; s < buffers - 1; ++s) {
        if (s < slices) share.next(shared[s], start_copy);
        __pipeline_commit();
    }

    float sums[Wide::row_groups][4][Wide::column_groups][4] = {};
    for (unsigned s = 0; s < slices; ++s) {
        __pipeline_wait_prior(buffers - 2);
        __syncthreads();  // Slice s has arrived, and all threads are done with slice s - 1: its buffer is free.
        if (s + buffers - 1 < slices) share.next(shared[(s + buffers - 1) % buffers], start_copy);
        __pipeline_commit();
        const auto& now = shared[s % buffers];
#pragma unroll
        for (unsigned l = 0; l < slice; ++l) {
            float a_part[Wide::row_groups][4], b_part[Wide::column_groups][4];
            for (unsigned g = 0; g < Wide::row_groups; ++g)
                take_quad(a_part[g], &now.a[l][y + g * Wide::warp_rows / Wide::row_groups]);
            for (unsigned g = 0; g < Wide::column_groups; ++g)
                take_quad(b_part[g], &now.b[l][x + g * Wide::warp_columns / Wide::column_groups]);
            add_products(sums, a_part, b_part);
        }
    }

    store_sums<Wide, aligned>(c, first, y, x, sums);
}

template <bool aligned>
void launch(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    constexpr std::size_t bytes = buffers * sizeof(Slice<Wide::rows, Wide::columns, slice>);
    CUDA_CHECK(cudaFuncSetAttribute(multiply<aligned>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    multiply<aligned><<<tiles_of(c, Wide::rows, Wide::columns), Wide::block_size, bytes>>>(a, b, c);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void long_slices(Matrix<const float> a, Matrix<const float> b, Matrix<float> c) {
    shape_of(a, b, c);
    if (c.rows == 0 || c.columns == 0) return;
    if (rows_are_aligned(a) && rows_are_aligned(b) && rows_are_aligned(c))
        launch<true>(a, b, c);
    else
        launch<false>(a, b, c);
}

STAGES(Stage{{"twice as long slices, half as many barriers", long_slices, more_than_48_kib}, Rows::pitched});

}  // namespace matrix_multiply
