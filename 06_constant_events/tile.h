#pragma once

// The part of the picture that a block draws, and the spheres that matter to it.

#include "grid.h"
#include "ray_tracer.h"
#include "rays.h"

namespace ray_tracer {

inline constexpr dim3 block{8, 32};  // threads
inline constexpr unsigned block_size = block.x * block.y;
inline constexpr unsigned tile_width = block.x * pixels_per_thread, tile_height = block.y;

/// The x and y of a block's rays: from the leftmost and topmost to the rightmost and lowest, including rays beyond the
/// edge of the picture.
struct Tile {
    float left, right, top, bottom;
};

__device__ inline Tile tile_of_block(const Image& image) {
    const float left = from_middle(blockIdx.x * tile_width, image.width);
    const float top = from_middle(blockIdx.y * tile_height, image.height);
    return {left, left + (tile_width - 1), top, top + (tile_height - 1)};
}

/// square_of_dz() where the tile is nearest to the sphere's centre. No ray of the tile gets a larger value, not even by
/// rounding, as every step of the computation is monotonic. If it is not above 0, all rays miss.
__device__ inline float largest_square_of_dz(const Tile& tile, const float4& shape) {
    const float dx = fmaxf(0, fmaxf(tile.left - shape.x, shape.x - tile.right));
    const float dy = fmaxf(0, fmaxf(tile.top - shape.y, shape.y - tile.bottom));
    return minus_square(minus_square(shape.w, dy), dx);
}

/// square_of_dz() in the farthest corner. No ray of the tile gets a smaller value: if it is above 0, all rays hit.
__device__ inline float smallest_square_of_dz(const Tile& tile, const float4& shape) {
    const float dx = fmaxf(shape.x - tile.left, tile.right - shape.x);
    const float dy = fmaxf(shape.y - tile.top, tile.bottom - shape.y);
    return minus_square(minus_square(shape.w, dy), dx);
}

/// Spheres in shared memory, in the order of their indices.
struct Shortlist {
    float4 shapes[block_size];
    unsigned indices[block_size];
    unsigned of_warps[block_size / 32];  // how many each warp has chosen
};

/// Lists the spheres of all threads with `chosen`, in order, and returns how many there are. Every thread of the block
/// must call it. The list may be read until the next call.
__device__ inline unsigned shortlist(Shortlist& list, bool chosen, const float4& shape, unsigned index) {
    const unsigned thread = threadIdx.y * block.x + threadIdx.x, lane = thread % 32, warp = thread / 32;
    const unsigned votes = __ballot_sync(~0u, chosen);
    if (lane == 0) list.of_warps[warp] = __popc(votes);
    __syncthreads();

    unsigned place = __popc(votes & ((1u << lane) - 1)), all = 0;  // after those of earlier lanes and warps
    for (unsigned w = 0; w < block_size / 32; ++w) {
        if (w < warp) place += list.of_warps[w];
        all += list.of_warps[w];
    }
    if (chosen) {
        list.shapes[place] = shape;
        list.indices[place] = index;
    }
    __syncthreads();
    return all;
}

}  // namespace ray_tracer
