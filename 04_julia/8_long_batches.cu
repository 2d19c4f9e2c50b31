// New: the first batch has 8 iterations, the others have 24.
// Saves: tests of |z|² when hardly any pixel escapes. Three of four pixels escape in the first 8 iterations.
// What remains: divergence, as lanes wait for the last one of their warp, and the launch itself.

#include "batches.h"
#include "common/check.h"
#include "grid.h"
#include "half_plane.h"
#include "palette.h"

namespace julia {
namespace {

constexpr dim3 block(8, 16);

template <int first, int batch, Palette palette>
__global__ void draw(View view, HalfPlane half, Rgba* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= half.columns || row >= half.rows) return;
    const int y = half.y_of(row);
    const Escape out =
        escape_in_batches<first, batch, palette == Palette::smooth>(point_at(view, x, y), view.c, view.iterations);
    half.write(pixels, x, y, colour(palette, out));
}

}  // namespace

void long_batches(const View& view, Rgba* pixels) {
    const HalfPlane half(view);
    const auto red = escapes_for_good(view.c) ? draw<8, 24, Palette::red> : draw<1, 1, Palette::red>;
    const auto smooth = escapes_for_good(view.c) ? draw<8, 24, Palette::smooth> : draw<1, 1, Palette::smooth>;
    const auto kernel = view.palette == Palette::red ? red : smooth;
    kernel<<<covering("8_long_batches", half.columns, half.rows, block), block>>>(view, half, pixels);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"8 iterations, then 24 at a time", long_batches}, Arithmetic::fused});

}  // namespace julia
