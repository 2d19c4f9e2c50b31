#pragma once

// A block's work in stages 12, 13, 14 and 16: the next operands are loaded before these are used. Each of these stages
// changes one thing in it.

#include <cuda_pipeline.h>

#include "matrix_multiply.h"
#include "slices.h"
#include "tiles.h"

namespace matrix_multiply {

inline constexpr unsigned slice = 16, buffers = 4;
inline constexpr unsigned blocks_at_once = 3;  // on a multiprocessor, at least

/// Where a lane is among those of its warp, each of which has groups of four rows and of four columns.
struct Lane {
    unsigned row, column;
};

/// One row of lanes after the other.
template <class Tile>
__device__ Lane lane_in_rows() {
    const unsigned lane = threadIdx.x % 32;
    return {lane / Tile::lanes_across, lane % Tile::lanes_across};
}

/// Lane 0 is above lane 1; lane 2 above lane 3 is to their right, and so on; then the next two rows of lanes.
template <class Tile>
__device__ Lane lane_in_pairs() {
    const unsigned lane = threadIdx.x % 32;
    return {lane / (2 * Tile::lanes_across) * 2 + lane % 2, lane / 2 % Tile::lanes_across};
}

struct Nothing {
    __device__ void operator()() const {}
};

/// Makes the block's tile of c. add(sums, column of a, row of b) adds the products of one l, and before_loads() is
/// called once, before anything is loaded.
template <class Tile, bool aligned, class Add, class BeforeLoads = Nothing>
__device__ void multiply_with_loads_ahead(const Matrix<const float>& a, const Matrix<const float>& b,
                                          const Matrix<float>& c, Lane lane, const Add& add,
                                          const BeforeLoads& before_loads = {}) {
    using Share = SliceShare<Tile::rows, Tile::columns, slice, Tile::block_size, aligned>;
    extern __shared__ __align__(16) unsigned char dynamic[];
    const auto shared = reinterpret_cast<typename Share::Shared*>(dynamic);
    const unsigned warp = threadIdx.x / 32;
    const unsigned y = warp / Tile::warps_across * Tile::warp_rows + lane.row * 4;
    const unsigned x = warp % Tile::warps_across * Tile::warp_columns + lane.column * 4;
    const Position first = tile_of_block(c, Tile::rows, Tile::columns);

    const auto slices = static_cast<unsigned>(count_of(a.columns, slice));
    Share share(a, b, first);
    before_loads();
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
            add(sums, a_part[l % 2], b_part[l % 2]);
        }
    }
    store_sums<Tile, aligned>(c, first, y, x, sums);
}

}  // namespace matrix_multiply
