#pragma once

// z and -z have the same square, so a picture around 0 does not change when it is turned by 180°: half of it is enough.

#include <cuda_runtime.h>

#include "julia.h"

namespace julia {

/// Which pixels a kernel computes, and where it writes them. If the centre is 0, it computes the middle row and the
/// rows above, and writes each pixel twice. Otherwise it computes all pixels.
struct HalfPlane {
    explicit HalfPlane(const View& view)
        : mirrored(view.center.re == 0 && view.center.im == 0),
          width(view.width),
          height(view.height),
          columns(mirrored ? width / 2 * 2 + 1 : width),
          rows(mirrored ? height / 2 + 1 : height) {}

    bool mirrored;
    int width, height;
    int columns, rows;  ///< how many of them are computed

    /// The picture's row y for the computed row `row`. The middle rows, which take longest, come first.
    __device__ int y_of(int row) const { return mirrored ? height / 2 - row : row; }

    /// If the width is even, column 0 mirrors a column behind the last one, which is computed but is not in the
    /// picture. If the height is even, row 0 mirrors no row of the picture, and is computed itself.
    __device__ void write(Rgba* pixels, int x, int y, Rgba colour) const {
        if (x < width) pixels[x + std::size_t{1} * width * y] = colour;
        const int mirror_x = width / 2 * 2 - x, mirror_y = height / 2 * 2 - y;
        if (mirrored && mirror_y != y && mirror_x < width && mirror_y < height)
            pixels[mirror_x + std::size_t{1} * width * mirror_y] = colour;
    }
};

}  // namespace julia
