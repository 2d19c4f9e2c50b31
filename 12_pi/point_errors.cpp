// How far π is off, for four seeds and more and more points, as a table and as a picture.

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/separators.h"
#include "harness/command_line.h"
#include "harness/output.h"
#include "harness/program.h"
#include "harness/table.h"
#include "points.h"

namespace {

constexpr int seeds = 4, first_power = 2, last_power = 11;  // of four: the numbers of points

std::int64_t on_device(const points::Points& points) {
    DeviceBuffer<unsigned long long> hits(1);
    hits.poison();
    points::words(points, hits.data());
    return static_cast<std::int64_t>(hits.to_host()[0]);
}

/// Of n points, for each seed.
struct Errors {
    std::int64_t n;
    std::array<double, seeds> errors;
    double deviation;
};

std::vector<Errors> computed() {
    std::vector<Errors> all;
    std::array<std::int64_t, seeds> hits{};
    std::int64_t before = 0;
    for (int power = first_power; power <= last_power; ++power) {
        const std::int64_t n = std::int64_t{1} << (2 * power);
        Errors row{n, {}, points::estimate(0, n).deviation};
        for (int s = 0; s < seeds; ++s) {
            hits[s] += on_device({static_cast<std::uint64_t>(s + 1), before, n});
            row.errors[s] = std::abs(points::estimate(hits[s], n).error);
        }
        all.push_back(row);
        before = n;
    }
    return all;
}

/// Both scales are logarithmic.
std::string picture(const std::vector<Errors>& all) {
    constexpr double left = 70, right = 600, top = 50, bottom = 330, most = 1, least = 1e-5;
    std::string svg;
    char text[400];
    const auto add = [&](const char* format, auto... values) {
        std::snprintf(text, sizeof text, format, values...);
        svg += text + std::string("\n");
    };
    const auto x_of = [&](double n) {
        const double from = std::log(all.front().n), to = std::log(all.back().n);
        return left + (right - left) * (std::log(n) - from) / (to - from);
    };
    const auto y_of = [&](double error) {
        const double share = std::log(std::max(error, least) / most) / std::log(least / most);
        return top + (bottom - top) * share;
    };
    const auto line = [&](const char* colour, double width, auto value_of) {
        std::string points;
        for (const Errors& row : all) {
            char point[40];
            std::snprintf(point, sizeof point, "%s%.1f,%.1f", points.empty() ? "" : " ", x_of(row.n),
                          y_of(value_of(row)));
            points += point;
        }
        add(R"(<polyline points="%s" fill="none" stroke="%s" stroke-width="%.1f"/>)", points.c_str(), colour, width);
    };
    svg =
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 390" role="img"
     font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13">
<title>The error of π for four seeds, against the number of points</title>
<style>@media (prefers-color-scheme: dark) { :root { filter: invert(0.93) hue-rotate(180deg); } }</style>
<rect width="760" height="390" rx="8" fill="#ffffff"/>
<text x="20" y="28" font-size="16" font-weight="bold" fill="#1f2933">how far π is off</text>
)";
    for (int power = 0; power >= -5; --power) {
        const double y = y_of(std::pow(10.0, power));
        add(R"(<path d="M %.0f %.1f H %.0f" stroke="#e4e7eb"/>)", left, y, right);
        add(R"(<text x="%.0f" y="%.1f" fill="#52606d" text-anchor="end">%.*f</text>)", left - 8, y + 4, -power,
            std::pow(10.0, power));
    }
    for (std::size_t i = 0; i < all.size(); i += 3)
        add(R"(<text x="%.1f" y="%.0f" fill="#52606d" text-anchor="middle">%s</text>)", x_of(all[i].n), bottom + 24,
            with_separators(all[i].n).c_str());
    add(R"(<text x="%.0f" y="%.0f" fill="#52606d" text-anchor="middle">points</text>)", (left + right) / 2,
        bottom + 46);
    line("#c2410c", 4, [](const Errors& row) { return row.deviation; });
    constexpr const char* colours[seeds] = {"#4c9f2f", "#3b6fb6", "#7c3aed", "#0e7490"};
    for (int s = 0; s < seeds; ++s) line(colours[s], 1.5, [&](const Errors& row) { return row.errors[s]; });
    add(R"(<text x="%.0f" y="%.1f" fill="#c2410c">1.64 / √n</text>)", right + 12, y_of(all.back().deviation) + 4);
    for (int s = 0; s < seeds; ++s)
        add(R"(<text x="%.0f" y="%.1f" fill="%s">seed %d</text>)", right + 12, top + 20 + 20.0 * s, colours[s], s + 1);
    return svg + "</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string file;
        CommandLine line("point_errors", "How far π by random points is off, by the number of points.");
        line.output_file("--svg", file, "Draw it to this file");
        line.parse(argc, argv);

        std::printf("%s\n", device_line().c_str());
        const std::vector<Errors> all = computed();
        Table table("12_pi", "Error of π by random points", "points",
                    {"seed 1", "seed 2", "seed 3", "seed 4", "1.64/√n"});
        for (const auto& [n, errors, deviation] : all) {
            std::vector<double> numbers(errors.begin(), errors.end());
            numbers.push_back(deviation);
            table.add(std::to_string(n), numbers);
        }
        if (!file.empty()) write_file(file, picture(all));
    });
}
