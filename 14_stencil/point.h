#pragma once

// One point's step, as stage 2 has it, for the stages after it.

#include "stencil.h"

namespace stencil {

/// Threads of a block, in a rectangle: a warp is 32 neighbours of a row.
inline constexpr unsigned block_width = 32, block_height = 8;

/// Writes the point (x, y) after a step, if there is such a point. Those of the border keep their value.
__device__ inline void step_point(Weights weights, int width, int height, const float* in, float* out, int x, int y) {
    if (x >= width || y >= height) return;
    const std::size_t i = std::size_t(y) * width + x;
    const bool is_border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
    out[i] = is_border ? in[i] : blend(weights, in[i], in[i - width], in[i - 1], in[i + 1], in[i + width]);
}

/// A grid with a thread for each point.
inline dim3 grid_for(int width, int height) {
    return {(width + block_width - 1) / block_width, (height + block_height - 1) / block_height};
}

}  // namespace stencil
