#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage.h"
#include "sphere.h"

// Spheres, seen from above: one ray for each pixel, along z.
namespace ray_tracer {

/// width · height pixels, row by row from the top. In host memory for the reference, in device memory for the stages.
/// Pixel (width / 2, height / 2) looks at (0, 0).
struct Image {
    Rgba* pixels;
    unsigned width, height;
};

/// How a stage draws. A scene is loaded once and may be drawn many times.
struct Renderer {
    /// Brings spheres (host memory, any number) to where the kernel reads them, in place of those loaded before. Throws
    /// cuda_error, and usage_error for more spheres than fit.
    void (*load)(std::span<const Sphere> spheres);

    /// Every pixel becomes the colour of the nearest sphere that its ray meets, the first one of several equally near,
    /// or the background. The work is queued, not waited for. Throws cuda_error, and usage_error for a picture beyond
    /// the largest grid.
    void (*draw)(Image image);
};

/// The reference, on the host.
void cpu(std::span<const Sphere> spheres, Image image);  // 1_cpu.cpp

extern const Renderer global;          // 2_global.cu
extern const Renderer constant;        // 3_constant.cu
extern const Renderer packed;          // 4_packed.cu
extern const Renderer four_pixels;     // 5_four_pixels.cu
extern const Renderer tiles;           // 6_tiles.cu
extern const Renderer hidden_spheres;  // 7_hidden_spheres.cu

inline constexpr Stage<const Renderer> stages[] = {
    {"2_global", "the spheres in global memory", &global},
    {"3_constant", "the same spheres in constant memory", &constant},
    {"4_packed", "16 bytes a sphere, its radius squared beforehand", &packed},
    {"5_four_pixels", "four pixels a thread, which share loads and distances", &four_pixels},
    {"6_tiles", "a block asks only the spheres that its tile touches", &tiles},
    {"7_hidden_spheres", "and of those only the ones that no other hides", &hidden_spheres},
};

/// Random spheres as the notes draw them: colours from 0 to 1, centres up to 500 from the middle, radii from 20 to 120,
/// all for a picture of 1024 pixels a side and larger or smaller for others. The same on every machine.
std::vector<Sphere> random_spheres(std::size_t count, std::uint64_t seed, std::size_t side);  // 1_cpu.cpp

/// Bytes that any ray tracer must write. The spheres that it reads are nothing beside that.
constexpr double bytes_moved(std::size_t width, std::size_t height) {
    return static_cast<double>(sizeof(Rgba)) * static_cast<double>(width) * static_cast<double>(height);
}

}  // namespace ray_tracer
