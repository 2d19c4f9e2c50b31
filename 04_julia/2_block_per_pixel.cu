// A block for each pixel, and one thread in each block.
// Of the 32 lanes of a warp, 31 do nothing, and a multiprocessor can hold no more than 32 blocks.

#include "common/check.h"
#include "grid.h"
#include "iterate.h"
#include "palette.h"

namespace julia {
namespace {

// With a number of iterations that it knows, nvcc unrolls the loop in escape(). 0: view.iterations, whatever it is.
template <int known_iterations>
__global__ void draw(View view, Rgba* pixels) {
    const int x = blockIdx.x, y = blockIdx.y;
    const int iterations = known_iterations > 0 ? known_iterations : view.iterations;
    const Escape out = escape<Separate>(point_at(view, x, y), view.c, iterations);
    pixels[x + std::size_t{gridDim.x} * y] = colour(view.palette, out);
}

}  // namespace

void block_per_pixel(const View& view, Rgba* pixels) {
    constexpr int usual = View{}.iterations;
    const auto kernel = view.iterations == usual ? draw<usual> : draw<0>;
    kernel<<<covering("2_block_per_pixel", view.width, view.height, 1), 1>>>(view, pixels);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"one block of one thread per pixel", block_per_pixel}, Arithmetic::separate});

}  // namespace julia
