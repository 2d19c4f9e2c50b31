// A block for each pixel, and one thread in each block.
// Of the 32 lanes of a warp, 31 do nothing, and a multiprocessor can hold no more than 32 blocks.

#include "common/check.h"
#include "grid.h"
#include "iterate.h"
#include "palette.h"

namespace julia {
namespace {

__global__ void draw(View view, Rgba* pixels) {
    const int x = blockIdx.x, y = blockIdx.y;
    const Escape out = escape<Separate>(point_at(view, x, y), view.c, view.iterations);
    pixels[x + std::size_t{gridDim.x} * y] = colour(view.palette, out);
}

}  // namespace

void block_per_pixel(const View& view, Rgba* pixels) {
    draw<<<covering("2_block_per_pixel", view.width, view.height, 1), 1>>>(view, pixels);
    CUDA_CHECK_LAUNCH();
}

}  // namespace julia
