// New here: the weights are in constant memory. All lanes of a warp want the same word, and its cache gives one word to
// all lanes at once, on a way of its own. 3_constant/parameter passes them as an argument of the kernel instead:
// arguments are in constant memory, too, and nothing is copied before the launch.
// What it should save: two of seven loads, and all that the L1 cache did for them.
// What remains: five loads for a point, though every value is wanted by five points.

#include "common/check.h"
#include "point.h"

namespace stencil {
namespace {

__constant__ Weights weights;

__global__ void take_step(int width, int height, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    step_point(weights, width, height, in, out, x, y);
}

__global__ void take_step_with(Weights given, int width, int height, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    step_point(given, width, height, in, out, x, y);
}

}  // namespace

void constant_memory(const Plate& plate, const float* in, float* out, float* scratch) {
    CUDA_CHECK(cudaMemcpyToSymbolAsync(weights, &plate.weights, sizeof weights, 0, cudaMemcpyHostToDevice));
    const dim3 block(block_width, block_height), grid = grid_for(plate.width, plate.height);
    for (int step = 1; step <= plate.steps; ++step) {
        float* to = target(plate.steps, step, out, scratch);
        take_step<<<grid, block>>>(plate.width, plate.height, in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

void parameter(const Plate& plate, const float* in, float* out, float* scratch) {
    const dim3 block(block_width, block_height), grid = grid_for(plate.width, plate.height);
    for (int step = 1; step <= plate.steps; ++step) {
        float* to = target(plate.steps, step, out, scratch);
        take_step_with<<<grid, block>>>(plate.weights, plate.width, plate.height, in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

STAGES(Stage{"the weights in constant memory", constant_memory},
       Stage{"parameter", "the weights as an argument of the kernel", parameter});

}  // namespace stencil
