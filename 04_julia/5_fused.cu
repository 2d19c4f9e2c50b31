// New: fused multiply-add. A product and a sum are one instruction and one rounding: 4 instructions for z² + c, not 7.
// The last bits differ from those of the stages before, and with them a few pixels: see the lesson.
// What remains: |z|² and its test, which cost as much as the iteration before them.

#include "common/check.h"
#include "grid.h"
#include "iterate.h"
#include "palette.h"

namespace julia {
namespace {

constexpr dim3 block(8, 16);

__global__ void draw(View view, Rgba* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= view.width || y >= view.height) return;
    const Escape out = escape<Fused>(point_at(view, x, y), view.c, view.iterations);
    pixels[x + std::size_t{1} * view.width * y] = colour(view.palette, out);
}

}  // namespace

void fused(const View& view, Rgba* pixels) {
    draw<<<covering("5_fused", view.width, view.height, block), block>>>(view, pixels);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"a product and a sum in one instruction", fused}, Arithmetic::fused});

}  // namespace julia
