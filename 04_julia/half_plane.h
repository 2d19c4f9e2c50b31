#pragma once

// z and -z have the same square, so a picture around 0 is the same after a turn of 180°: half of it is enough.

#include <cuda_runtime.h>

#include "julia.h"

namespace julia {

/// Which pixels a kernel computes, and where it writes them to. Around 0: the middle row and those above, and each
/// pixel is written twice. Elsewhere: all.
struct HalfPlane {
    explicit HalfPlane(const View& view)
        : mirrored(view.center.re == 0 && view.center.im == 0),
          width(view.width),
          height(view.height),
          columns(mirrored ? width / 2 * 2 + 1 : width),
          rows(mirrored ? height / 2 + 1 : height) {}

    bool mirrored;
    int width, height;
    int columns, rows;  ///< how many are computed

    /// The row y of the picture that is computed as `row`: the middle ones, which take longest, come first.
    __device__ int y_of(int row) const { return mirrored ? height / 2 - row : row; }

    /// A picture of even width has a column 0 without a mirror image: it is that of a column behind the last one, which
    /// is computed, but is not in the picture. The same holds for row 0, which is computed itself.
    __device__ void write(Rgba* pixels, int x, int y, Rgba colour) const {
        if (x < width) pixels[x + std::size_t{1} * width * y] = colour;
        const int mirror_x = width / 2 * 2 - x, mirror_y = height / 2 * 2 - y;
        if (mirrored && mirror_y != y && mirror_x < width && mirror_y < height)
            pixels[mirror_x + std::size_t{1} * width * mirror_y] = colour;
    }
};

}  // namespace julia
