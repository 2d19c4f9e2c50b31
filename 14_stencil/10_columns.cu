// New here: a thread keeps a column of 16 points in registers through all steps of a launch. North and south are in
// registers, too, but at the ends of the column; shared memory only passes values from column to column.
// What it should save: of five loads from shared memory for each point about three.
// What remains: two barriers a step; and 64 × 128 points are loaded, and computed, for 48 × 112 results.

#include <algorithm>

#include "common/check.h"
#include "stencil.h"

namespace stencil {
namespace {

constexpr int tile_width = 64, strips = 8, rows = 16;  // a block has 64 × 8 threads, and each of them 16 rows
constexpr int tile_height = strips * rows;

/// Takes 1 to k steps. Points at the edge of the tile take themselves for the neighbours that are not there. That is
/// wrong, and with each step what is wrong comes one point nearer; but it takes more than k steps to reach a result.
template <int k>
__global__ void __launch_bounds__(tile_width* strips) take_steps(Plate plate, int steps, const float* in, float* out) {
    __shared__ float tile[tile_height][tile_width];

    const int tx = threadIdx.x, first = threadIdx.y * rows;
    const int x = blockIdx.x * (tile_width - 2 * k) - k + tx, top = blockIdx.y * (tile_height - 2 * k) - k + first;
    const int west = tx > 0 ? tx - 1 : tx, east = tx < tile_width - 1 ? tx + 1 : tx;
    const bool is_column = x >= 0 && x < plate.width;
    const bool may_change = x > 0 && x < plate.width - 1;

    float column[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        const int y = top + r;
        column[r] = is_column && y >= 0 && y < plate.height ? in[std::size_t(y) * plate.width + x] : 0;
    }

    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int r = 0; r < rows; ++r) tile[first + r][tx] = column[r];
        __syncthreads();
        float north = tile[first > 0 ? first - 1 : 0][tx];
        const float last_south = tile[first + rows < tile_height ? first + rows : tile_height - 1][tx];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const float here = column[r], south = r + 1 < rows ? column[r + 1] : last_south;
            const int y = top + r;
            if (may_change && y > 0 && y < plate.height - 1)
                column[r] = blend(plate.weights, here, north, tile[first + r][west], tile[first + r][east], south);
            north = here;
        }
        __syncthreads();  // All have read, so that all may write.
    }

    if (!is_column || tx < k || tx >= tile_width - k) return;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        const int ty = first + r, y = top + r;
        if (ty >= k && ty < tile_height - k && y < plate.height) out[std::size_t(y) * plate.width + x] = column[r];
    }
}

template <int k>
void take_all_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    constexpr int width = tile_width - 2 * k, height = tile_height - 2 * k;
    const dim3 block(tile_width, strips);
    const dim3 grid((plate.width + width - 1) / width, (plate.height + height - 1) / height);
    const int launches = (plate.steps + k - 1) / k;
    for (int launch = 1; launch <= launches; ++launch) {
        float* to = target(launches, launch, out, scratch);
        take_steps<k><<<grid, block>>>(plate, std::min(k, plate.steps - (launch - 1) * k), in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

}  // namespace

void columns(const Plate& plate, const float* in, float* out, float* scratch) {
    take_all_steps<8>(plate, in, out, scratch);
}

void columns_four_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    take_all_steps<4>(plate, in, out, scratch);
}

STAGES(Stage{"eight steps, with 16 points per thread in registers", columns},
       Stage{"4", "four steps in a launch", columns_four_steps});

}  // namespace stencil
