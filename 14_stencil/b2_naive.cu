// New here: a third dimension. A thread for each point, as in 3_constant/parameter, and seven loads for each of them.
// What remains: the neighbours below and above are a whole plane away. If three planes do not stay in the L2 cache,
// each point comes from memory three times in a step.

#include "box.h"
#include "common/check.h"

namespace box {
namespace {

constexpr unsigned block_width = 32, block_height = 8;

__global__ void take_step(Box box, const float* in, float* out) {
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

void naive(const Box& box, const float* in, float* out, float* scratch) {
    const dim3 block(block_width, block_height);
    const dim3 grid((box.width + block_width - 1) / block_width, (box.height + block_height - 1) / block_height,
                    box.depth);
    for (int step = 1; step <= box.steps; ++step) {
        float* to = target(box.steps, step, out, scratch);
        take_step<<<grid, block>>>(box, in, to);
        CUDA_CHECK_LAUNCH();
        in = to;
    }
}

STAGES(Stage{"one thread per point: seven loads each", naive});

}  // namespace box
