#pragma once

// How many blocks cover a picture.

#include <cuda_runtime.h>

#include <string>

#include "common/errors.h"
#include "common/separators.h"
#include "julia.h"

namespace julia {

/// Enough blocks for `width` x `height` pixels. Throws usage_error for more rows of blocks than a grid may have.
inline dim3 covering(const char* stage, int width, int height, dim3 block) {
    constexpr unsigned most = 65535;
    const dim3 grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
    if (grid.y > most)
        throw usage_error(std::string(stage) + ": a grid has at most 65535 rows of blocks, enough for " +
                          with_separators(std::size_t{most} * block.y) + " rows of pixels");
    return grid;
}

}  // namespace julia
