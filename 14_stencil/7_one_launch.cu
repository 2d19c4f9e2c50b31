// New here: all steps in one cooperative launch. It promises that all blocks run at the same time, so that they can
// wait for each other: grid.sync() is a barrier of the whole grid, and takes the place of a launch. The grid has as
// many blocks as the device holds at once, and each block goes over several tiles. What it should save: the time
// between two launches, which is most of the time if the plate is small. What remains: the barrier itself. All blocks
// report to one word and wait for the last of them, which for many blocks takes longer than a launch that is queued.

#include <algorithm>

#include <cooperative_groups.h>

#include "common/check.h"
#include "common/device.h"
#include "point.h"

namespace stencil {
namespace {

__global__ void take_all_steps(Plate plate, const float* in, float* out, float* scratch) {
    const auto grid = cooperative_groups::this_grid();
    const unsigned columns = (plate.width + block_width - 1) / block_width;
    const unsigned tiles = columns * ((plate.height + block_height - 1) / block_height);

    for (int step = 1; step <= plate.steps; ++step) {
        float* to = target(plate.steps, step, out, scratch);
        for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int x = tile % columns * block_width + threadIdx.x, y = tile / columns * block_height + threadIdx.y;
            step_point(plate.weights, plate.width, plate.height, in, to, x, y);
        }
        grid.sync();  // All have written, so that all may read.
        in = to;
    }
}

}  // namespace

void one_launch(const Plate& plate, const float* in, float* out, float* scratch) {
    const dim3 block(block_width, block_height), tiles = grid_for(plate.width, plate.height);
    int per_multiprocessor = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, take_all_steps,
                                                             block_width * block_height, 0));
    const unsigned blocks = std::min(multiprocessors() * per_multiprocessor, tiles.x * tiles.y);

    Plate argument = plate;
    void* arguments[] = {&argument, &in, &out, &scratch};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(take_all_steps), blocks, block, arguments, 0,
                                           nullptr));
}

STAGES(Stage{"all steps in one cooperative launch", one_launch});

}  // namespace stencil
