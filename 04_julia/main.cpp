// Draws a Julia set with every stage, compares the pictures, and prints what each one costs.

#include <cstdio>
#include <map>
#include <thread>

#include "common/device_buffer.h"
#include "common/stage.h"
#include "julia.h"
#include "options.h"

namespace {

using julia::Arithmetic;
using julia::View;

const Chapter chapter{.name = "04_julia",
                      .about = "The Julia set: a picture in which each pixel takes its own time.",
                      .n = 1000,
                      .unit = "pixels a side",
                      .bench_sizes = {1000, 8192}};

unsigned host_threads() {
    return std::max(1u, std::thread::hardware_concurrency());
}

/// What the CPU draws with each arithmetic, made when it is asked for.
class Expected {
  public:
    explicit Expected(const View& view) : view_(view) {}

    const Bitmap& operator[](Arithmetic arithmetic) {
        auto found = pictures_.find(arithmetic);
        if (found == pictures_.end()) {
            found = pictures_.emplace(arithmetic, Bitmap(view_.width, view_.height)).first;
            julia::cpu(view_, arithmetic, found->second.pixels(), host_threads());
        }
        return found->second;
    }

  private:
    View view_;
    std::map<Arithmetic, Bitmap> pictures_;
};

/// Throws wrong_result unless both pictures are the same.
void verify(std::string_view stage, const Bitmap& actual, const Bitmap& expected) {
    const Difference difference = compare(actual, expected);
    if (difference.count == 0) return;
    const auto text = [&](const Bitmap& picture) {
        const Rgba pixel = picture.at(difference.x, difference.y);
        char hex[16];
        std::snprintf(hex, sizeof hex, "#%02x%02x%02x%02x", pixel.r, pixel.g, pixel.b, pixel.a);
        return std::string(hex);
    };
    throw wrong_result(std::string(stage) + " is wrong in " + with_separators(difference.count) +
                       " pixels, the first at x = " + std::to_string(difference.x) + ", y = " +
                       std::to_string(difference.y) + ": expected " + text(expected) + ", got " + text(actual));
}

/// Returns the picture.
Bitmap run(const View& view, const Options& options, Report& report) {
    const double bytes = julia::bytes_moved(view);
    require_memory(bytes, 4 * bytes);

    Expected expected(view);
    Bitmap picture(view.width, view.height);
    const std::uint64_t iterations = julia::cpu(view, Arithmetic::separate, picture.pixels(), host_threads());
    report.begin(julia::title_of(view), picture.pixels().size(),
                 {.bytes = bytes, .flops = julia::operations * static_cast<double>(iterations)});

    report.cpu("1_cpu", "one thread on the host", [&] { julia::cpu(view, Arithmetic::separate, picture.pixels()); });
    report.cpu("1_cpu_threads", std::to_string(host_threads()) + " threads, row by row",
               [&] { julia::cpu(view, Arithmetic::separate, picture.pixels(), host_threads()); });
    verify("1_cpu_threads", picture, expected[Arithmetic::separate]);

    DeviceBuffer<Rgba> d_pixels(picture.pixels().size());
    for (const auto& stage : julia::stages) {
        if (!is_chosen(options, stage.name)) continue;
        const auto launch = [&] { stage.run(view, d_pixels.data()); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { d_pixels.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            launch();
                            d_pixels.copy_to(picture.pixels());
                        },
                    .verify =
                        [&] {
                            d_pixels.copy_to(picture.pixels());
                            verify(stage.name, picture, expected[stage.arithmetic]);
                            return 0.0;
                        }});
    }
    return picture;
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string size, c, center, iterations, scale, palette, out;
        const Options options = read_options(argc, argv, chapter, names_of(julia::stages), [&](CommandLine& line) {
            line.option("--size", size, "");
            line.excludes("--size", {"--n", "--bench"});
            line.option("--c", c, "");
            line.option("--center", center, "");
            line.option("--iterations", iterations, "");
            line.option("--scale", scale, "");
            line.option("--palette", palette, "");
            line.option("--out", out, "");
        });
        View view;
        if (!c.empty()) view.c = julia::parse_complex("--c", c);
        if (!center.empty()) view.center = julia::parse_complex("--center", center);
        if (!iterations.empty()) view.iterations = julia::parse_iterations(iterations);
        if (!scale.empty()) view.scale = julia::parse_scale(scale);
        if (!palette.empty()) view.palette = julia::parse_palette(palette);

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const std::string side = size.empty() ? std::to_string(n) : size;
            std::tie(view.width, view.height) = julia::parse_size(side);
            const Bitmap picture = run(view, options, report);
            if (!out.empty()) picture.save_png(out);
        }
        report.write();
    });
}
