#pragma once

// How the stages divide a picture into blocks.

#include <string>

#include "common/errors.h"
#include "ray_tracer.h"

namespace ray_tracer {

/// A block for each tile of the picture, including the tiles at the right and lower edge. Throws usage_error for a
/// picture that is too tall.
inline dim3 grid_of_tiles(const Image& image, unsigned tile_width, unsigned tile_height) {
    constexpr unsigned most = 65'535;  // gridDim.y
    const unsigned rows = (image.height + tile_height - 1) / tile_height;
    if (rows > most)
        throw usage_error("a grid of blocks " + std::to_string(tile_height) + " pixels high draws at most " +
                          std::to_string(most * tile_height) + " rows, not " + std::to_string(image.height));
    return {(image.width + tile_width - 1) / tile_width, rows};
}

/// Throws usage_error if there are more spheres than a stage has room for.
inline void require_room(const char* stage, const Room& room, std::span<const Sphere> spheres) {
    if (const std::string why = room.why_not(spheres.size()); !why.empty())
        throw usage_error(std::string(stage) + ": " + why);
}

/// The x of a column's ray or the y of a row's ray, counted from the middle.
__device__ inline float from_middle(unsigned pixel, unsigned pixels) {
    return static_cast<float>(static_cast<int>(pixel) - static_cast<int>(pixels / 2));
}

}  // namespace ray_tracer
