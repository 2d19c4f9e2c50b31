// The reference, which tests all spheres for each pixel, one after another. And the random spheres.

#include <limits>
#include <random>

#include "ray_tracer.h"

namespace ray_tracer {

// For x86-64 the compiler makes two versions, and the program chooses one when it starts: processors since 2013 have an
// instruction for fmaf(), and on older ones it is a function call. ARM always has the instruction.
#if defined(__x86_64__)
__attribute__((target_clones("fma", "default")))
#endif
void cpu(std::span<const Sphere> spheres, Image image) {
    for (unsigned row = 0; row < image.height; ++row)
        for (unsigned column = 0; column < image.width; ++column) {
            const float x = static_cast<float>(static_cast<int>(column) - static_cast<int>(image.width / 2));
            const float y = static_cast<float>(static_cast<int>(row) - static_cast<int>(image.height / 2));
            float nearest = -std::numeric_limits<float>::infinity();
            Rgba colour;
            for (const Sphere& s : spheres) {
                const float dz_squared = square_of_dz(shape_of(s), x, y);
                if (!(dz_squared > 0)) continue;
                const float dz = std::sqrt(dz_squared);
                if (s.z + dz > nearest) {
                    nearest = s.z + dz;
                    colour = shaded(look_of(s), dz);
                }
            }
            image.pixels[std::size_t{row} * image.width + column] = colour;
        }
}

std::vector<Sphere> random_spheres(std::size_t count, std::uint64_t seed, std::size_t side) {
    // The generator gives the same numbers everywhere; std::uniform_real_distribution need not.
    std::mt19937_64 generator(seed);
    const auto random = [&](float from, float to) {
        const float share = static_cast<float>(generator() >> 40) * 0x1p-24f;  // 24 bits, from 0 to just below 1
        return std::fma(to - from, share, from);
    };
    const float scale = static_cast<float>(side) / 1024;
    std::vector<Sphere> spheres(count);
    for (Sphere& s : spheres) {
        s.red = random(0, 1);
        s.green = random(0, 1);
        s.blue = random(0, 1);
        s.x = scale * random(-500, 500);
        s.y = scale * random(-500, 500);
        s.z = scale * random(-500, 500);
        s.radius = scale * random(20, 120);
    }
    return spheres;
}

}  // namespace ray_tracer
