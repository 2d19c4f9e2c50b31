// New here: the quads of 5_quads, and nothing else. A thread takes four neighbours of a row, in one plane.
// What it should save: requests. Four points take 7 of them, of which 5 are 16 bytes wide; stage b2 needs 28. What
// stage b3 saves is left to the caches: the quads below and above come from the L2 cache if it holds three planes. What
// remains: one read and one write of each point in each step.

#include "box.h"
#include "common/alignment.h"
#include "common/check.h"

namespace box {
namespace {

constexpr int block_width = 32, block_height = 8;

__device__ float4 quad(const float* points) {
    return *reinterpret_cast<const float4*>(points);
}

__global__ void take_step(Box box, const float* in, float* out) {
    const int x = 4 * (blockIdx.x * block_width + threadIdx.x), y = blockIdx.y * block_height + threadIdx.y;
    const int z = blockIdx.z;
    if (x >= box.width || y >= box.height) return;

    const std::size_t row = box.width, plane = row * box.height, i = z * plane + y * row + x;
    const float4 here = quad(in + i);
    float4 next = here;
    if (y > 0 && y < box.height - 1 && z > 0 && z < box.depth - 1) {
        const float4 below = quad(in + i - plane), above = quad(in + i + plane);
        const float4 north = quad(in + i - row), south = quad(in + i + row);
        if (x > 0) next.x = blend(box.weights, here.x, below.x, north.x, in[i - 1], here.y, south.x, above.x);
        next.y = blend(box.weights, here.y, below.y, north.y, here.x, here.z, south.y, above.y);
        next.z = blend(box.weights, here.z, below.z, north.z, here.y, here.w, south.z, above.z);
        if (x + 4 < box.width)
            next.w = blend(box.weights, here.w, below.w, north.w, here.z, in[i + 4], south.w, above.w);
    }
    *reinterpret_cast<float4*>(out + i) = next;
}

/// As in stage b2: where rows do not begin at multiples of 16 bytes.
__global__ void take_step_by_points(Box box, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    const int z = blockIdx.z;
    if (x >= box.width || y >= box.height) return;

    const std::size_t row = box.width, plane = row * box.height, i = z * plane + y * row + x;
    const bool is_face = x == 0 || x == box.width - 1 || y == 0 || y == box.height - 1 || z == 0 || z == box.depth - 1;
    out[i] = is_face ? in[i]
                     : blend(box.weights, in[i], in[i - plane], in[i - row], in[i - 1], in[i + 1], in[i + row],
                             in[i + plane]);
}

}  // namespace

void quads(const Box& box, const float* in, float* out, float* scratch) {
    const bool in_quads =
        box.width % 4 == 0 && to_boundary(in) == 0 && to_boundary(out) == 0 && to_boundary(scratch) == 0;
    const auto kernel = in_quads ? take_step : take_step_by_points;
    const int columns = in_quads ? box.width / 4 : box.width;
    const dim3 block(block_width, block_height);
    const dim3 grid((columns + block_width - 1) / block_width, (box.height + block_height - 1) / block_height,
                    box.depth);
    for (int step = 1; step <= box.steps; ++step) {
        float* to = target(box.steps, step, out, scratch);
        kernel<<<grid, block>>>(box, in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

STAGES(Stage{"four points per thread, with wide loads", quads});

}  // namespace box
