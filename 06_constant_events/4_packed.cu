// New here: what the test for a hit needs is packed into 16 bytes, with the square of the radius. The loop only
// remembers which sphere is nearest. Its colour is loaded once for each pixel, at the end: from global memory, because
// there each thread may want another sphere.
// What remains: each ray tests every sphere, and neighbouring threads repeat each other's work.

#include "common/check.h"
#include "grid.h"
#include "ray_tracer.h"
#include "scene.h"

namespace ray_tracer {
namespace {

constexpr unsigned tile = 16;

__constant__ float4 shapes[packed_in_constant.most];

__global__ void draw_spheres(const float4* looks, unsigned count, Image image) {
    const unsigned column = blockIdx.x * tile + threadIdx.x, row = blockIdx.y * tile + threadIdx.y;
    if (column >= image.width || row >= image.height) return;

    const float x = from_middle(column, image.width), y = from_middle(row, image.height);
    float nearest = -INFINITY, nearest_dz = 0;
    unsigned nearest_sphere = count;
    for (unsigned i = 0; i < count; ++i) {
        const float4 shape = shapes[i];
        const float dz_squared = square_of_dz(shape, x, y);
        if (!(dz_squared > 0)) continue;
        const float dz = sqrtf(dz_squared);
        if (shape.z + dz > nearest) {
            nearest = shape.z + dz;
            nearest_dz = dz;
            nearest_sphere = i;
        }
    }
    image.pixels[std::size_t{row} * image.width + column] =
        nearest_sphere < count ? shaded(looks[nearest_sphere], nearest_dz) : Rgba{};
}

DeviceBuffer<float4> looks;

}  // namespace

void load_packed(std::span<const Sphere> spheres) {
    require_room("4_packed", packed_in_constant, spheres);
    const std::vector<float4> packed = shapes_of(spheres);
    CUDA_CHECK(cudaMemcpyToSymbol(shapes, packed.data(), packed.size() * sizeof(float4)));
    looks = DeviceBuffer<float4>::from_host(looks_of(spheres));
}

void packed(Image image) {
    const auto count = static_cast<unsigned>(looks.size());
    draw_spheres<<<grid_of_tiles(image, tile, tile), dim3(tile, tile)>>>(looks.data(), count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"16 bytes per sphere, its radius squared beforehand", packed}, load_packed, packed_in_constant});

}  // namespace ray_tracer
