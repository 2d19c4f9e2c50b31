#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/stage.h"

// Heat in a box: in a small step of time each point becomes a mean of itself and its six neighbours. Points of the
// faces keep their temperature.
namespace box {

/// A point becomes centre · itself + neighbour · the sum of its neighbours. Heat conducts with neighbour = α Δt / h²
/// and centre = 1 - 6 · neighbour.
struct Weights {
    float centre, neighbour;
};

/// width × height × depth points, row by row and plane by plane, and how many steps to take: all at least 1. At most
/// max_side points a side.
struct Box {
    int width, height, depth, steps;
    Weights weights;
};

/// A grid has at most 65,535 planes of blocks.
inline constexpr int max_side = 65'535;

/// out = the box `in` after its steps. in, out, scratch: width · height · depth floats each in device memory, which do
/// not overlap; what is in scratch does not matter, before and after. The work is queued on the default stream, not
/// waited for. Throws cuda_error.
using Launch = void(const Box& box, const float* in, float* out, float* scratch);

/// The same on the host.
using OnHost = void(const Box& box, std::span<const float> in, std::span<float> out, std::span<float> scratch);

/// The value of a point after a step. If both weights are powers of two, both products are exact, and fusing one of
/// them with the sum changes no bit.
__host__ __device__ inline float blend(Weights weights, float centre, float below, float north, float west, float east,
                                       float south, float above) {
    return weights.centre * centre + weights.neighbour * (below + north + west + east + south + above);
}

/// Where a step (1 to steps) writes: to out and scratch in turn, so that the last step writes to out.
inline float* target(int steps, int step, float* out, float* scratch) {
    return (steps - step) % 2 == 0 ? out : scratch;
}

OnHost cpu, cpu_threads;  // b1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// The bytes of all steps, where each step reads and writes each point once.
constexpr double bytes_moved(const Box& box) {
    return 2.0 * sizeof(float) * box.width * box.height * box.depth * box.steps;
}

}  // namespace box
