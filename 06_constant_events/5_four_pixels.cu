// New here: a thread draws four neighbouring pixels of a row. They share the load of a sphere and its distance from the
// row, which is often so large that none of the four can hit it. One store writes all four.
// What remains: every thread still tests every sphere, though most spheres are far from all its pixels.

#include "common/check.h"
#include "grid.h"
#include "ray_tracer.h"
#include "rays.h"
#include "scene.h"

namespace ray_tracer {
namespace {

constexpr dim3 block(8, 32);  // draws 32 × 32 pixels

__constant__ float4 shapes[packed_in_constant.most];

__global__ void draw_spheres(const float4* looks, unsigned count, Image image) {
    const unsigned column = (blockIdx.x * block.x + threadIdx.x) * pixels_per_thread;
    const unsigned row = blockIdx.y * block.y + threadIdx.y;

    FourRays rays(from_middle(column, image.width), from_middle(row, image.height));
    for (unsigned i = 0; i < count; ++i) rays.ask(shapes[i], i);
    rays.draw(image, column, row, looks);
}

DeviceBuffer<float4> looks;

}  // namespace

void load_four_pixels(std::span<const Sphere> spheres) {
    require_room("5_four_pixels", packed_in_constant, spheres);
    const std::vector<float4> packed = shapes_of(spheres);
    CUDA_CHECK(cudaMemcpyToSymbol(shapes, packed.data(), packed.size() * sizeof(float4)));
    looks = DeviceBuffer<float4>::from_host(looks_of(spheres));
}

void four_pixels(Image image) {
    const auto count = static_cast<unsigned>(looks.size());
    draw_spheres<<<grid_of_tiles(image, block.x * pixels_per_thread, block.y), block>>>(looks.data(), count, image);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{{"four pixels per thread share loads and distances", four_pixels}, load_four_pixels, packed_in_constant});

}  // namespace ray_tracer
