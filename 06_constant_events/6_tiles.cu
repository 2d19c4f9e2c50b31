// New here: a block first finds out which spheres its tile of 32 × 32 pixels touches, one sphere for each thread, and
// lists them in shared memory. The rays then test only these. Of 100 spheres, about three touch a tile.
// What remains: where many spheres overlap, the rays test all of them, even those that others hide.

#include "common/check.h"
#include "grid.h"
#include "ray_tracer.h"
#include "scene.h"
#include "tile.h"

namespace ray_tracer {
namespace {

__global__ void draw_spheres(const float4* shapes, const float4* looks, unsigned count, Image image) {
    __shared__ Shortlist list;
    const Tile tile = tile_of_block(image);
    const unsigned column = (blockIdx.x * block.x + threadIdx.x) * pixels_per_thread;
    const unsigned row = blockIdx.y * block.y + threadIdx.y;

    FourRays rays(from_middle(column, image.width), from_middle(row, image.height));
    for (unsigned first = 0; first < count; first += block_size) {
        const unsigned i = first + threadIdx.y * block.x + threadIdx.x;
        const float4 shape = i < count ? shapes[i] : float4{};  // a sphere without a radius touches nothing
        const bool touched = largest_square_of_dz(tile, shape) > 0;

        const unsigned listed = shortlist(list, touched, shape, i);
        for (unsigned j = 0; j < listed; ++j) rays.ask(list.shapes[j], list.indices[j]);
    }
    rays.draw(image, column, row, looks);
}

DeviceBuffer<float4> shapes, looks;

}  // namespace

void load_tiles(std::span<const Sphere> spheres) {
    require_room("6_tiles", in_global, spheres);
    shapes = DeviceBuffer<float4>::from_host(shapes_of(spheres));
    looks = DeviceBuffer<float4>::from_host(looks_of(spheres));
}

void tiles(Image image) {
    const auto count = static_cast<unsigned>(shapes.size());
    draw_spheres<<<grid_of_tiles(image, tile_width, tile_height), block>>>(shapes.data(), looks.data(), count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"a block asks only the spheres that its tile touches", tiles}, load_tiles});

}  // namespace ray_tracer
