// New: 16 x 16 threads a block. All lanes of a warp have a pixel, and a multiprocessor is full.
// Saves: 31 idle lanes of 32. What remains: a warp works until its last lane is done, and tests |z|² after every step.
// The variant `operators` computes with a type that has operators.

#include "common/check.h"
#include "device_complex.h"
#include "grid.h"
#include "iterate.h"
#include "palette.h"

namespace julia {
namespace {

constexpr dim3 block(16, 16);

__global__ void draw(View view, Rgba* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= view.width || y >= view.height) return;
    const Escape out = escape<Separate>(point_at(view, x, y), view.c, view.iterations);
    pixels[x + std::size_t{1} * view.width * y] = colour(view.palette, out);
}

__global__ void draw_with_operators(View view, Rgba* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= view.width || y >= view.height) return;
    const Escape out = escape_with_operators(point_at(view, x, y), view.c, view.iterations);
    pixels[x + std::size_t{1} * view.width * y] = colour(view.palette, out);
}

}  // namespace

void blocks_and_threads(const View& view, Rgba* pixels) {
    draw<<<covering("3_blocks_and_threads", view.width, view.height, block), block>>>(view, pixels);
    CUDA_CHECK_LAUNCH();
}

void with_operators(const View& view, Rgba* pixels) {
    draw_with_operators<<<covering("3_blocks_and_threads", view.width, view.height, block), block>>>(view, pixels);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"16 × 16 threads per block: whole warps work", blocks_and_threads}, Arithmetic::separate},
       Stage{{"operators", "the formula as z * z + c", with_operators}, Arithmetic::separate});

}  // namespace julia
