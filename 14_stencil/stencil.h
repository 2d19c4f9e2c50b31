#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/stage.h"

// Heat in a plate. In a small step of time each point becomes a mean of itself and its four neighbours. Points of the
// border keep their temperature.
namespace stencil {

/// A point becomes centre · itself + neighbour · the sum of its neighbours. Heat conducts with neighbour = α Δt / h²,
/// where α is the material's diffusivity, Δt the step and h the distance of two points, and centre = 1 - 4 · neighbour.
struct Weights {
    float centre, neighbour;
};

/// width × height points, row by row, and how many steps to take: all at least 1, and at most max_side points a side.
struct Plate {
    int width, height, steps;
    Weights weights;
};

/// A grid has at most 65,535 rows of blocks, and blocks have 8 rows of points or more.
inline constexpr int max_side = 8 * 65'535;

/// out = the plate `in` after its steps. in, out, scratch: width · height floats each in device memory, which do not
/// overlap; what is in scratch does not matter, before and after. The work is queued on the default stream, not waited
/// for. A stage may keep memory of its own from call to call, so no two launches may run at the same time. Throws
/// cuda_error.
using Launch = void(const Plate& plate, const float* in, float* out, float* scratch);

/// The same on the host.
using OnHost = void(const Plate& plate, std::span<const float> in, std::span<float> out, std::span<float> scratch);

/// The value of a point after a step. If both weights are powers of two, both products are exact. Then a compiler that
/// fuses a product and the sum into one instruction changes no bit: host and device agree in all of them.
__host__ __device__ inline float blend(Weights weights, float centre, float north, float west, float east,
                                       float south) {
    return weights.centre * centre + weights.neighbour * (north + west + east + south);
}

/// Where a step (1 to steps) writes: to out and scratch in turn, so that the last step writes to out.
__host__ __device__ inline float* target(int steps, int step, float* out, float* scratch) {
    return (steps - step) % 2 == 0 ? out : scratch;
}

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(const Plate& plate, std::span<const float> in, std::span<float> out, std::span<float> scratch,
                 unsigned threads);  // 1_cpu.cpp

using Stage = ::Stage<Launch, OnHost>;
inline const std::vector<Stage>& stages = all_stages<Stage>();

/// The bytes of all steps, where each step reads and writes each point once. Only stages that take several steps
/// between a read and a write need fewer.
constexpr double bytes_moved(const Plate& plate) {
    return 2.0 * sizeof(float) * plate.width * plate.height * plate.steps;
}

}  // namespace stencil
