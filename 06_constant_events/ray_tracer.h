#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/separators.h"
#include "common/stage.h"
#include "sphere.h"

// Spheres, seen from above: one ray for each pixel, along z.
namespace ray_tracer {

/// width · height pixels, row by row from the top, in host memory for OnHost and in device memory for Launch.
/// Pixel (width / 2, height / 2) looks at (0, 0).
struct Image {
    Rgba* pixels;
    unsigned width, height;
};

/// Copies any number of spheres from host memory to where the stage's kernel reads them, in place of those loaded
/// before. They may then be drawn many times. Throws cuda_error, and usage_error if there is no room for so many.
using Load = void(std::span<const Sphere> spheres);

/// Draws the loaded spheres. Each pixel gets the colour of the nearest sphere that its ray meets (of several equally
/// near, the first), or the background. The work is queued, not waited for. Throws cuda_error, and usage_error for a
/// picture beyond the largest grid.
using Launch = void(Image image);

/// Draws the spheres on the host.
using OnHost = void(std::span<const Sphere> spheres, Image image);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// Draws the rows from `first` to before `end` on the host, as both host stages do.
void draw_rows(std::span<const Sphere> spheres, Image image, unsigned first, unsigned end);  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(std::span<const Sphere> spheres, Image image, unsigned threads);  // 1_cpu.cpp

/// Where a stage keeps the spheres, and how many fit there.
struct Room {
    std::string_view where;
    std::size_t most;

    /// "constant memory holds 2,340 spheres, not 5,000"; empty if there is room for that many.
    std::string why_not(std::size_t spheres) const {
        if (spheres <= most) return "";
        return std::string(where) + " holds " + with_separators(most) + " spheres, not " + with_separators(spheres);
    }
};

inline constexpr Room in_global{"a loop of 32 bits", 0xffff'ffff - 256};  // the index may run 256 past the end
inline constexpr Room whole_in_constant{"constant memory", 65'536 / sizeof(Sphere)};
inline constexpr Room packed_in_constant{"constant memory", 65'536 / sizeof(float4)};

/// A stage, and how it gets the spheres. A stage on the host reads them where they are.
struct Stage : ::Stage<Launch, OnHost> {
    Load* load = nullptr;
    Room room = in_global;
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// Random spheres: colours from 0 to 1, centres up to 500 from the middle, radii from 20 to 120. These sizes are for a
/// picture of 1024 pixels a side and scaled for others. The same seed gives the same spheres on every machine.
std::vector<Sphere> random_spheres(std::size_t count, std::uint64_t seed, std::size_t side);  // 1_cpu.cpp

}  // namespace ray_tracer
