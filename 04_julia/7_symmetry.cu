// New: only half of the pixels are computed, and each is written twice; the slow middle rows come first.
// Saves: half of the work. A picture whose centre is not 0 has no such symmetry and is computed as in stage 6.
// What remains: batches of 8, which are long for pixels that escape soon and short for pixels that stay.

#include "batches.h"
#include "common/check.h"
#include "grid.h"
#include "half_plane.h"
#include "palette.h"

namespace julia {
namespace {

constexpr dim3 block(8, 16);

template <int batch, Palette palette>
__global__ void draw(View view, HalfPlane half, Rgba* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= half.columns || row >= half.rows) return;
    const int y = half.y_of(row);
    const Escape out =
        escape_in_batches<batch, batch, palette == Palette::smooth>(point_at(view, x, y), view.c, view.iterations);
    half.write(pixels, x, y, colour(palette, out));
}

}  // namespace

void symmetry(const View& view, Rgba* pixels) {
    const HalfPlane half(view);
    const auto red = escapes_for_good(view.c) ? draw<8, Palette::red> : draw<1, Palette::red>;
    const auto smooth = escapes_for_good(view.c) ? draw<8, Palette::smooth> : draw<1, Palette::smooth>;
    const auto kernel = view.palette == Palette::red ? red : smooth;
    kernel<<<covering("7_symmetry", half.columns, half.rows, block), block>>>(view, half, pixels);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"half of the picture, written twice", symmetry}, Arithmetic::fused});

}  // namespace julia
