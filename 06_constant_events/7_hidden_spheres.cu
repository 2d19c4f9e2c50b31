// New here: a sphere that covers the whole tile hides what lies behind it. A block first finds the largest z at which
// some sphere covers the tile. Then it lists only spheres that come at least as near.
// What remains: a store for each pixel and, with few spheres, the start of the kernel itself.

#include "common/check.h"
#include "grid.h"
#include "ray_tracer.h"
#include "scene.h"
#include "tile.h"

namespace ray_tracer {
namespace {

/// Turns a float's bits into an int, so that atomicMax() on ints orders them like the floats. It is its own inverse.
__device__ int in_order(int bits) {
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}

__global__ void draw_spheres(const float4* shapes, const float4* looks, unsigned count, Image image) {
    __shared__ Shortlist list;
    __shared__ int cover;  // every ray of the tile meets a sphere at this z or a greater one
    const Tile tile = tile_of_block(image);
    const unsigned column = (blockIdx.x * block.x + threadIdx.x) * pixels_per_thread;
    const unsigned row = blockIdx.y * block.y + threadIdx.y;
    const unsigned thread = threadIdx.y * block.x + threadIdx.x;
    if (thread == 0) cover = in_order(__float_as_int(-INFINITY));
    __syncthreads();

    FourRays rays(from_middle(column, image.width), from_middle(row, image.height));
    for (unsigned first = 0; first < count; first += block_size) {
        const unsigned i = first + thread;
        const float4 shape = i < count ? shapes[i] : float4{};
        const bool touched = largest_square_of_dz(tile, shape) > 0;
        const float in_corner = smallest_square_of_dz(tile, shape);
        if (in_corner > 0) atomicMax(&cover, in_order(__float_as_int(shape.z + sqrtf(in_corner))));
        __syncthreads();
        const bool visible = shape.z + sqrtf(shape.w) >= __int_as_float(in_order(cover));

        const unsigned listed = shortlist(list, touched && visible, shape, i);
        for (unsigned j = 0; j < listed; ++j) rays.ask(list.shapes[j], list.indices[j]);
    }
    rays.draw(image, column, row, looks);
}

DeviceBuffer<float4> shapes, looks;

}  // namespace

void load_hidden_spheres(std::span<const Sphere> spheres) {
    require_room("7_hidden_spheres", in_global, spheres);
    shapes = DeviceBuffer<float4>::from_host(shapes_of(spheres));
    looks = DeviceBuffer<float4>::from_host(looks_of(spheres));
}

void hidden_spheres(Image image) {
    const auto count = static_cast<unsigned>(shapes.size());
    draw_spheres<<<grid_of_tiles(image, tile_width, tile_height), block>>>(shapes.data(), looks.data(), count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"and of those only the ones that no other hides", hidden_spheres}, load_hidden_spheres});

}  // namespace ray_tracer
