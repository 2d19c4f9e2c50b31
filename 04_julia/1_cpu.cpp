// The reference: one pixel after another. 1_cpu/threads does the same with all of the host's threads.

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "iterate.h"
#include "julia.h"
#include "palette.h"

namespace julia {
namespace {

/// Returns how many iterations the row took.
template <class Arithmetic>
std::uint64_t draw_row(const View& view, int y, std::span<Rgba> row) {
    std::uint64_t iterations = 0;
    for (int x = 0; x < view.width; ++x) {
        const Escape out = escape<Arithmetic>(point_at(view, x, y), view.c, view.iterations);
        row[x] = colour(view.palette, out);
        iterations += out.steps == 0 ? view.iterations : out.steps;
    }
    return iterations;
}

}  // namespace

std::uint64_t draw_on_host(const View& view, Arithmetic arithmetic, std::span<Rgba> pixels, unsigned threads) {
    // Rows take different times, so each thread takes the next row when it has finished its last one.
    std::atomic<int> next_row = 0;
    std::atomic<std::uint64_t> iterations = 0;
    const auto draw_rows = [&] {
        const auto draw = arithmetic == Arithmetic::separate ? draw_row<Separate> : draw_row<Fused>;
        for (int y; (y = next_row++) < view.height;)
            iterations += draw(view, y, pixels.subspan(std::size_t{1} * y * view.width, view.width));
    };
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(draw_rows);
    draw_rows();
    others.clear();  // waits for them
    return iterations;
}

std::uint64_t cpu(const View& view, Arithmetic arithmetic, std::span<Rgba> pixels) {
    return draw_on_host(view, arithmetic, pixels, 1);
}

std::uint64_t cpu_threads(const View& view, Arithmetic arithmetic, std::span<Rgba> pixels) {
    return draw_on_host(view, arithmetic, pixels, std::max(1u, std::thread::hardware_concurrency()));
}

STAGES(Stage{{"one thread on the host", cpu}, Arithmetic::separate},
       Stage{{"threads", "all of the host's threads, row by row", cpu_threads}, Arithmetic::separate});

}  // namespace julia
