// New here: a thread takes a quad, four neighbours of a row, and its loads and stores are 16 bytes wide. Quads above
// and below come the same way. Of each quad's neighbours to the left and to the right only one point is needed: two
// loads of 4 bytes, which the L1 cache answers, as another thread has asked for the same sector. What it should save:
// requests. Four points take 5 of them here, and 20 in stage 3. So each thread has more bytes in flight. What remains:
// one read and one write of each point in each step. Rows must begin at multiples of 16 bytes; where they do not, a
// thread takes a point, as in stage 3.

#include "common/alignment.h"
#include "common/check.h"
#include "point.h"

namespace stencil {
namespace {

__device__ float4 quad(const float* points) {
    return *reinterpret_cast<const float4*>(points);
}

__global__ void take_step(Plate plate, const float* in, float* out) {
    const int x = 4 * (blockIdx.x * block_width + threadIdx.x), y = blockIdx.y * block_height + threadIdx.y;
    if (x >= plate.width || y >= plate.height) return;

    const std::size_t i = std::size_t(y) * plate.width + x;
    const float4 here = quad(in + i);
    float4 next = here;
    if (y > 0 && y < plate.height - 1) {
        const float4 north = quad(in + i - plate.width), south = quad(in + i + plate.width);
        if (x > 0) next.x = blend(plate.weights, here.x, north.x, in[i - 1], here.y, south.x);
        next.y = blend(plate.weights, here.y, north.y, here.x, here.z, south.y);
        next.z = blend(plate.weights, here.z, north.z, here.y, here.w, south.z);
        if (x + 4 < plate.width) next.w = blend(plate.weights, here.w, north.w, here.z, in[i + 4], south.w);
    }
    *reinterpret_cast<float4*>(out + i) = next;
}

__global__ void take_step_by_points(Plate plate, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    step_point(plate.weights, plate.width, plate.height, in, out, x, y);
}

}  // namespace

void quads(const Plate& plate, const float* in, float* out, float* scratch) {
    const bool in_quads =
        plate.width % 4 == 0 && to_boundary(in) == 0 && to_boundary(out) == 0 && to_boundary(scratch) == 0;
    const auto kernel = in_quads ? take_step : take_step_by_points;
    const dim3 block(block_width, block_height),
        grid = grid_for(in_quads ? plate.width / 4 : plate.width, plate.height);
    for (int step = 1; step <= plate.steps; ++step) {
        float* to = target(plate.steps, step, out, scratch);
        kernel<<<grid, block>>>(plate, in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

STAGES(Stage{"four points per thread, with wide loads", quads});

}  // namespace stencil
