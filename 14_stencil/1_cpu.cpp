// The reference: one thread on the host, row by row. Every stage must give exactly these bits.
// 1_cpu/threads shares the plate out in tiles: three rows of a tile are still in a core's cache when the next row needs
// them, however wide the plate is. After each step the threads wait for each other.

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "stencil.h"

namespace stencil {
namespace {

struct Rectangle {
    int left, top, right, bottom;  // right and bottom are the first that are outside
};

void step_rectangle(const Plate& plate, const float* in, float* out, Rectangle part) {
    const int width = plate.width;
    for (int y = part.top; y < part.bottom; ++y) {
        const float* here = in + std::size_t(y) * width;
        float* next = out + std::size_t(y) * width;
        if (y == 0 || y == plate.height - 1) {
            std::copy(here + part.left, here + part.right, next + part.left);
            continue;
        }
        if (part.left == 0) next[0] = here[0];
        if (part.right == width) next[width - 1] = here[width - 1];
        const float *north = here - width, *south = here + width;
        for (int x = std::max(part.left, 1); x < std::min(part.right, width - 1); ++x)
            next[x] = blend(plate.weights, here[x], north[x], here[x - 1], here[x + 1], south[x]);
    }
}

std::vector<Rectangle> tiles_of(const Plate& plate) {
    constexpr int tile_width = 2048, tile_height = 32;
    std::vector<Rectangle> tiles;
    for (int y = 0; y < plate.height; y += tile_height)
        for (int x = 0; x < plate.width; x += tile_width)
            tiles.push_back({x, y, std::min(x + tile_width, plate.width), std::min(y + tile_height, plate.height)});
    return tiles;
}

}  // namespace

void cpu(const Plate& plate, std::span<const float> in, std::span<float> out, std::span<float> scratch) {
    const float* from = in.data();
    for (int step = 1; step <= plate.steps; ++step) {
        float* to = target(plate.steps, step, out.data(), scratch.data());
        step_rectangle(plate, from, to, {0, 0, plate.width, plate.height});
        from = to;
    }
}

void cpu_threads(const Plate& plate, std::span<const float> in, std::span<float> out, std::span<float> scratch,
                 unsigned threads) {
    const std::vector<Rectangle> tiles = tiles_of(plate);
    std::barrier all_arrived(threads);
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
            const float* from = in.data();
            for (int step = 1; step <= plate.steps; ++step) {
                float* to = target(plate.steps, step, out.data(), scratch.data());
                for (std::size_t i = tiles.size() * t / threads; i < tiles.size() * (t + 1) / threads; ++i)
                    step_rectangle(plate, from, to, tiles[i]);
                from = to;
                all_arrived.arrive_and_wait();
            }
        });
}

void cpu_threads(const Plate& plate, std::span<const float> in, std::span<float> out, std::span<float> scratch) {
    cpu_threads(plate, in, out, scratch, std::max(1u, std::thread::hardware_concurrency()));
}

STAGES(Stage{"one thread on the host, row by row", cpu},
       Stage{"threads", "all threads of the host, with tiles", cpu_threads});

}  // namespace stencil
