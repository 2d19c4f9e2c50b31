// New here: a block takes several steps before it writes anything (temporal blocking). With each step the values at the
// edge of what it has loaded lose a neighbour, so for k steps the halo is k points wide, and shrinks by one in each.
// What it should save: all points cross the memory twice in k steps, not in each.
// What remains: the halo is loaded, and computed, by several blocks. With k = 4 a block has 64 × 64 points for
// 56 × 56 results; with k = 8, for 48 × 48. And shared memory has to serve five loads and a store for each point.

#include <algorithm>

#include "common/check.h"
#include "stencil.h"

namespace stencil {
namespace {

constexpr int side = 64;         // of what a block loads, halo included
constexpr int block_height = 8;  // a block has 64 × 8 threads, and each of them 8 points

/// Takes 1 to k steps.
template <int k>
__global__ void take_steps(Plate plate, int steps, const float* in, float* out) {
    __shared__ float tiles[2][side][side];

    constexpr int tile = side - 2 * k;
    const int left = blockIdx.x * tile - k, top = blockIdx.y * tile - k;
    const int tx = threadIdx.x, x = left + tx;
    const bool is_column = x >= 0 && x < plate.width;
    for (int ty = threadIdx.y; ty < side; ty += block_height) {
        const int y = top + ty;
        tiles[0][ty][tx] = is_column && y >= 0 && y < plate.height ? in[std::size_t(y) * plate.width + x] : 0;
    }
    __syncthreads();

    for (int step = 1; step <= steps; ++step) {
        const auto& from = tiles[(step - 1) % 2];
        auto& to = tiles[step % 2];
        if (tx >= step && tx < side - step)
            for (int ty = step + threadIdx.y; ty < side - step; ty += block_height) {
                const int y = top + ty;
                const bool is_inside = x > 0 && x < plate.width - 1 && y > 0 && y < plate.height - 1;
                to[ty][tx] = is_inside ? blend(plate.weights, from[ty][tx], from[ty - 1][tx], from[ty][tx - 1],
                                               from[ty][tx + 1], from[ty + 1][tx])
                                       : from[ty][tx];
            }
        __syncthreads();
    }

    if (tx >= k && tx < side - k && is_column)
        for (int ty = k + threadIdx.y; ty < side - k && top + ty < plate.height; ty += block_height)
            out[std::size_t(top + ty) * plate.width + x] = tiles[steps % 2][ty][tx];
}

template <int k>
void take_all_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    constexpr int tile = side - 2 * k;
    const dim3 block(side, block_height);
    const dim3 grid((plate.width + tile - 1) / tile, (plate.height + tile - 1) / tile);
    const int launches = (plate.steps + k - 1) / k;
    for (int launch = 1; launch <= launches; ++launch) {
        float* to = target(launches, launch, out, scratch);
        take_steps<k><<<grid, block>>>(plate, std::min(k, plate.steps - (launch - 1) * k), in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

}  // namespace

void two_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    take_all_steps<2>(plate, in, out, scratch);
}

void four_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    take_all_steps<4>(plate, in, out, scratch);
}

void eight_steps(const Plate& plate, const float* in, float* out, float* scratch) {
    take_all_steps<8>(plate, in, out, scratch);
}

STAGES(Stage{"four steps in a launch, with a halo of four", four_steps}, Stage{"2", "two steps in a launch", two_steps},
       Stage{"8", "eight steps in a launch", eight_steps});

}  // namespace stencil
