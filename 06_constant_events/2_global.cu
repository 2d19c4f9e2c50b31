// The first version on the GPU: a thread for each pixel, which tests all spheres in global memory. All threads of a
// warp ask for the same sphere at the same time, and get it from the L1 cache.
// What remains: for each pixel, three loads for each sphere that its ray misses, and up to seven for one that it hits.

#include "common/check.h"
#include "common/device_buffer.h"
#include "grid.h"
#include "ray_tracer.h"

namespace ray_tracer {
namespace {

constexpr unsigned tile = 16;  // a block draws 16 × 16 pixels

__global__ void draw_spheres(const Sphere* spheres, unsigned count, Image image) {
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

DeviceBuffer<Sphere> loaded;

}  // namespace

void load_global(std::span<const Sphere> spheres) {
    require_room("2_global", in_global, spheres);
    loaded = DeviceBuffer<Sphere>::from_host(spheres);
}

void global(Image image) {
    const auto count = static_cast<unsigned>(loaded.size());
    draw_spheres<<<grid_of_tiles(image, tile, tile), dim3(tile, tile)>>>(loaded.data(), count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"the spheres in global memory", global}, load_global});

}  // namespace ray_tracer
