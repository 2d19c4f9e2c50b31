// 4,096 threads draw 16 random points each, with a generator for each thread. Four ways to begin a thread's stream are
// wrong, and two of them give a good π. The table says how many of the points are different, how far π is off, and how
// evenly the points fill the square.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/device_buffer.h"
#include "harness/command_line.h"
#include "harness/output.h"
#include "harness/program.h"
#include "harness/table.h"
#include "points.h"
#include "with_state.h"

namespace {

constexpr int threads = 4096, block_size = 256, points_each = 16;

/// Numbers of Philox with seed 1, from a call on.
struct Calls {
    std::int64_t call;
    philox::Four numbers{};
    bool has_point = false;

    __device__ uint2 next_point() {
        has_point = !has_point;
        if (!has_point) return {numbers.z, numbers.w};
        numbers = philox::random(points::counter_of(call++), points::key_of(1));
        return {numbers.x, numbers.y};
    }
};

template <class Generator>
struct TwoNumbers {
    Generator generator;

    __device__ uint2 next_point() {
        const std::uint32_t x = generator.next();
        return {x, generator.next()};
    }
};

using Xorshifts = TwoNumbers<with_state::Xorshift>;
using Congruentials = TwoNumbers<with_state::Congruential>;

// How a thread's stream begins.
struct OneSeed {
    __device__ Xorshifts operator()(std::uint32_t) const { return {{2'463'534'242}}; }
};
struct SeedsInARow {
    __device__ Xorshifts operator()(std::uint32_t thread) const { return {{thread + 1}}; }
};
struct CongruentialInARow {
    __device__ Congruentials operator()(std::uint32_t thread) const { return {{thread}}; }
};
struct CountersInARow {
    __device__ Calls operator()(std::uint32_t thread) const { return {thread}; }
};
struct OwnCounters {
    __device__ Calls operator()(std::uint32_t thread) const { return {std::int64_t{thread} * points_each / 2}; }
};

template <class Begin>
__global__ void draw(Begin begin, uint2* points) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    auto stream = begin(thread);
    for (int i = 0; i < points_each; ++i) points[i * threads + thread] = stream.next_point();
}

template <class Begin>
std::vector<uint2> drawn(Begin begin) {
    DeviceBuffer<uint2> points(threads * points_each);
    points.poison();
    draw<<<threads / block_size, block_size>>>(begin, points.data());
    CUDA_CHECK_LAUNCH();
    return points.to_host();
}

/// How many percent of the points are different ones.
double different(const std::vector<uint2>& points) {
    std::vector<std::uint64_t> all;
    for (const auto [x, y] : points) all.push_back(std::uint64_t{x} << 32 | y);
    std::ranges::sort(all);
    const auto distinct = std::unique(all.begin(), all.end()) - all.begin();
    return 100 * static_cast<double>(distinct) / static_cast<double>(points.size());
}

/// χ² over 16 × 16 cells of the square: with independent points 255, give or take 23.
double unevenness(const std::vector<uint2>& points) {
    std::vector<double> cells(256);
    for (const auto [x, y] : points) ++cells[(x >> 28) * 16 + (y >> 28)];
    const double mean = static_cast<double>(points.size()) / 256;
    double sum = 0;
    for (const double cell : cells) sum += (cell - mean) * (cell - mean) / mean;
    return sum;
}

/// The first points of 1,000 threads in a square, and the arc that divides hits from misses.
std::string square(const std::string& title, double left, const std::vector<uint2>& points) {
    constexpr double top = 46, side = 224;
    char text[300];
    std::snprintf(text, sizeof text,
                  R"(<text x="%.0f" y="30" fill="#1f2933">%s</text>
<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" fill="none" stroke="#52606d"/>
<path d="M %.0f %.0f A %.0f %.0f 0 0 1 %.0f %.0f" fill="none" stroke="#c2410c"/>
)",
                  left, title.c_str(), left, top, side, side, left, top, side, side, left + side, top + side);
    std::string svg = std::string(text) + R"(<path stroke="#3b6fb6" stroke-width="2.4" stroke-linecap="round" d=")";
    for (int thread = 0; thread < 1000; ++thread) {
        const auto [x, y] = points[thread];
        std::snprintf(text, sizeof text, "M%.1f %.1fh0", left + side * x * 0x1p-32, top + side * (1 - y * 0x1p-32));
        svg += text;
    }
    return svg + R"("/>
)";
}

std::string picture() {
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 286" role="img"
     font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13">
<title>The first points of 1,000 threads, with three ways to begin their streams</title>
<style>@media (prefers-color-scheme: dark) { :root { filter: invert(0.93) hue-rotate(180deg); } }</style>
<rect width="760" height="286" rx="8" fill="#ffffff"/>
)" + square("xorshift, seeds 1, 2, 3", 20, drawn(SeedsInARow{})) +
           square("LCG, seeds 0, 1, 2", 268, drawn(CongruentialInARow{})) +
           square("Philox, pieces", 516, drawn(OwnCounters{})) + "</svg>\n";
}

void add(Table& table, const std::string& name, const std::vector<uint2>& points) {
    const auto hits = std::ranges::count_if(points, [](uint2 p) { return points::is_inside(p.x, p.y); });
    const auto [pi, error, deviation] = points::estimate(hits, static_cast<std::int64_t>(points.size()));
    table.add(name, {different(points), pi, std::abs(error) / deviation, unevenness(points)});
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string file;
        CommandLine line("bad_streams", "Five ways to begin the random numbers of 4,096 threads. One is right.");
        line.output_file("--svg", file, "Draw the first points of three of them to this file");
        line.parse(argc, argv);
        std::printf("%s\n", device_line().c_str());
        Table table("12_pi", "65,536 points of 4,096 threads", "a thread's numbers",
                    {"different %", "pi", "deviations", "chi-square"});
        add(table, "xorshift, one seed", drawn(OneSeed{}));
        add(table, "xorshift, seeds 1, 2, 3", drawn(SeedsInARow{}));
        add(table, "LCG, seeds 0, 1, 2", drawn(CongruentialInARow{}));
        add(table, "Philox, from 0, 1, 2", drawn(CountersInARow{}));
        add(table, "Philox, pieces", drawn(OwnCounters{}));
        std::printf(
            "\nDeviations: how far π is off, in standard deviations. Chi-square is 255 ± 23 for\n"
            "independent points: more is too uneven, and less too even to be random.\n");
        if (!file.empty()) write_file(file, picture());
    });
}
