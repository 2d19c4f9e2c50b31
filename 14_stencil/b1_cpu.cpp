// The reference in three dimensions: one thread on the host, row by row. b1_cpu/threads gives each thread some planes.

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "box.h"

namespace box {
namespace {

void step_planes(const Box& box, const float* in, float* out, int begin, int end) {
    const std::size_t row = box.width, plane = row * box.height;
    for (int z = begin; z < end; ++z)
        for (int y = 0; y < box.height; ++y) {
            const float* here = in + z * plane + y * row;
            float* next = out + z * plane + y * row;
            if (y == 0 || y == box.height - 1 || z == 0 || z == box.depth - 1) {
                std::copy_n(here, row, next);
                continue;
            }
            next[0] = here[0];
            next[row - 1] = here[row - 1];
            const float *below = here - plane, *north = here - row, *south = here + row, *above = here + plane;
            for (int x = 1; x < box.width - 1; ++x)
                next[x] = blend(box.weights, here[x], below[x], north[x], here[x - 1], here[x + 1], south[x], above[x]);
        }
}

void in_threads(const Box& box, std::span<const float> in, std::span<float> out, std::span<float> scratch,
                int threads) {
    std::barrier all_arrived(threads);
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
            const auto first_of = [&](int thread) {
                return static_cast<int>(std::size_t(box.depth) * thread / threads);
            };
            const float* from = in.data();
            for (int step = 1; step <= box.steps; ++step) {
                float* to = target(box.steps, step, out.data(), scratch.data());
                step_planes(box, from, to, first_of(t), first_of(t + 1));
                from = to;
                all_arrived.arrive_and_wait();
            }
        });
}

}  // namespace

void cpu(const Box& box, std::span<const float> in, std::span<float> out, std::span<float> scratch) {
    const float* from = in.data();
    for (int step = 1; step <= box.steps; ++step) {
        float* to = target(box.steps, step, out.data(), scratch.data());
        step_planes(box, from, to, 0, box.depth);
        from = to;
    }
}

void cpu_threads(const Box& box, std::span<const float> in, std::span<float> out, std::span<float> scratch) {
    in_threads(box, in, out, scratch, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

STAGES(Stage{"one thread on the host, row by row", cpu},
       Stage{"threads", "all threads of the host, plane by plane", cpu_threads});

}  // namespace box
