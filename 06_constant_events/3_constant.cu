// New here: the spheres lie in constant memory, 64 KiB that kernels can only read, through a cache of their own. It
// hands a warp one word at a time. That is best if all threads want the same word, and here they do.
// What remains: the arithmetic, and three to seven words for each sphere. And 64 KiB hold no more than 2,340 spheres.

#include "common/check.h"
#include "grid.h"
#include "ray_tracer.h"

namespace ray_tracer {
namespace {

constexpr unsigned tile = 16;

__constant__ Sphere spheres[whole_in_constant.most];

__global__ void draw_spheres(unsigned count, Image image) {
    const unsigned column = blockIdx.x * tile + threadIdx.x, row = blockIdx.y * tile + threadIdx.y;
    if (column >= image.width || row >= image.height) return;

    const float x = from_middle(column, image.width), y = from_middle(row, image.height);
    float nearest = -INFINITY;
    Rgba colour;
    for (unsigned i = 0; i < count; ++i) {
        const Sphere& s = spheres[i];
        const float dz_squared = square_of_dz(shape_of(s), x, y);
        if (!(dz_squared > 0)) continue;
        const float dz = sqrtf(dz_squared);
        if (s.z + dz > nearest) {
            nearest = s.z + dz;
            colour = shaded(look_of(s), dz);
        }
    }
    image.pixels[std::size_t{row} * image.width + column] = colour;
}

unsigned count = 0;

}  // namespace

void load_constant(std::span<const Sphere> from_host) {
    require_room("3_constant", whole_in_constant, from_host);
    count = static_cast<unsigned>(from_host.size());
    CUDA_CHECK(cudaMemcpyToSymbol(spheres, from_host.data(), from_host.size_bytes()));
}

void constant(Image image) {
    draw_spheres<<<grid_of_tiles(image, tile, tile), dim3(tile, tile)>>>(count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"the same spheres in constant memory", constant}, load_constant, whole_in_constant});

}  // namespace ray_tracer
