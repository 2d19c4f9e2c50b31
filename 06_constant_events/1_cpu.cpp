// The reference, which tests all spheres for each pixel, one after another. 1_cpu/threads does the same with all of the
// host's threads. And the random spheres.

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "ray_tracer.h"

namespace ray_tracer {

// For x86-64 the compiler makes two versions, and the program chooses one when it starts: processors since 2013 have an
// instruction for fmaf(), and on older ones it is a function call. ARM always has the instruction.
#if defined(__x86_64__)
__attribute__((target_clones("fma", "default")))
#endif
void draw_rows(std::span<const Sphere> spheres, Image image, unsigned first, unsigned end) {
    for (unsigned row = first; row < end; ++row)
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

void cpu(std::span<const Sphere> spheres, Image image) {
    draw_rows(spheres, image, 0, image.height);
}

void cpu_threads(std::span<const Sphere> spheres, Image image, unsigned threads) {
    // Rows take different times, so each thread takes the next row when it has finished its last one.
    std::atomic<unsigned> next_row = 0;
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
        running.emplace_back([&] {
            for (unsigned row; (row = next_row++) < image.height;) draw_rows(spheres, image, row, row + 1);
        });
}

void cpu_threads(std::span<const Sphere> spheres, Image image) {
    cpu_threads(spheres, image, std::max(1u, std::thread::hardware_concurrency()));
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

STAGES(Stage{{"one thread on the host", cpu}},
       Stage{{"threads", "all of the host's threads, row by row", cpu_threads}});

}  // namespace ray_tracer
