// Draws a Julia set with every stage, compares the pictures, and prints what each one costs.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/device_buffer.h"
#include "common/stage.h"
#include "common/text.h"
#include "julia.h"
#include "options.h"
#include "viewer.h"

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

    const Bitmap& operator[](Arithmetic arithmetic) { return drawn(arithmetic).picture; }
    std::uint64_t iterations(Arithmetic arithmetic) { return drawn(arithmetic).iterations; }

  private:
    struct Drawn {
        Bitmap picture;
        std::uint64_t iterations;
    };

    Drawn& drawn(Arithmetic arithmetic) {
        std::optional<Drawn>& drawn = drawn_[static_cast<int>(arithmetic)];
        if (!drawn) {
            drawn.emplace(Bitmap(view_.width, view_.height), 0);
            drawn->iterations = julia::cpu(view_, arithmetic, drawn->picture.pixels(), host_threads());
        }
        return *drawn;
    }

    View view_;
    std::optional<Drawn> drawn_[2];
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
    throw wrong_result(std::string(stage) + " is wrong at x = " + std::to_string(difference.x) +
                       ", y = " + std::to_string(difference.y) + ": expected " + text(expected) + ", got " +
                       text(actual) + "; " + with_separators(difference.count) + " pixels differ");
}

/// The picture on the host, on the device, and as it must be.
class Problem {
  public:
    explicit Problem(const View& view) : view_(view), expected_(view), picture_(view.width, view.height) {}

    void run_on_cpu(Report& report) {
        report.cpu("1_cpu", "one thread on the host",
                   [&] { julia::cpu(view_, Arithmetic::separate, picture_.pixels()); });
        report.cpu("1_cpu_threads", std::to_string(host_threads()) + " threads, row by row",
                   [&] { julia::cpu(view_, Arithmetic::separate, picture_.pixels(), host_threads()); });
        verify("1_cpu_threads", picture_, expected_[Arithmetic::separate]);
    }

    /// Returns the seconds that it took on the GPU.
    double run(const julia::Stage& stage, Report& report) {
        const auto launch = [&] { stage.run(view_, d_pixels_.data()); };
        const auto draw = [&] {
            launch();
            d_pixels_.copy_to(picture_.pixels());
        };
        return report.gpu(stage.name, stage.idea,
                          {.poison = [&] { d_pixels_.poison(); },
                           .run = launch,
                           .with_copies = draw,
                           .verify =
                               [&] {
                                   d_pixels_.copy_to(picture_.pixels());
                                   verify(stage.name, picture_, expected_[stage.arithmetic]);
                                   return 0.0;
                               }});
    }

    /// Operations that any stage needs, unless it finds a way around some of the iterations.
    double operations() { return julia::operations * static_cast<double>(expected_.iterations(Arithmetic::separate)); }

    /// What the last stage drew, or the CPU if there was none.
    const Bitmap& picture() const { return picture_; }

    /// In how many pixels, and where first, the two arithmetics differ.
    void print_difference() {
        const Difference difference = compare(expected_[Arithmetic::fused], expected_[Arithmetic::separate]);
        std::string text = "\nFused multiply-add gives another colour to " + with_separators(difference.count) +
                           " of " + with_separators(picture_.pixels().size()) + " pixels";
        if (difference.count > 0)
            text += ", first at x = " + std::to_string(difference.x) + ", y = " + std::to_string(difference.y);
        std::printf("%s.\n", wrapped(text).c_str());
    }

    /// The picture in pale grey, and in red where the two arithmetics differ.
    Bitmap difference_picture() {
        const Bitmap &separate = expected_[Arithmetic::separate], &fused = expected_[Arithmetic::fused];
        Bitmap result(view_.width, view_.height);
        for (std::size_t i = 0; i < result.pixels().size(); ++i) {
            const Rgba a = separate.pixels()[i];
            const auto grey = static_cast<std::uint8_t>(255 - (a.r + a.g + a.b) / 6);
            result.pixels()[i] = a == fused.pixels()[i] ? Rgba{grey, grey, grey} : Rgba{255, 0, 0};
        }
        return result;
    }

  private:
    const View view_;
    Expected expected_;
    Bitmap picture_;
    DeviceBuffer<Rgba> d_pixels_{picture_.pixels().size()};
};

/// The chapter's own options, as they were given.
struct Own {
    std::string size, c = "-0.8,0.156", center = "0,0", scale = "1.5", iterations = "200", palette = "red";
    std::string out, difference;
    bool show = false;
};

void add_options(CommandLine& line, Own& own) {
    line.option("--size", own.size, "How many pixels, e.g. 1000 or 1920x1080");
    line.excludes("--size", {"--n", "--bench"});
    line.option("--c", own.c, "Whose Julia set, RE,IM (default: " + own.c + ")");
    line.option("--center", own.center, "The point in the middle of the picture, RE,IM (default: " + own.center + ")");
    line.option("--scale", own.scale, "From there to the nearest edge (default: " + own.scale + ")");
    line.option("--iterations", own.iterations, "How often z = z^2 + c is repeated (default: " + own.iterations + ")");
    line.option("--palette", own.palette, "red, as in the notes, or smooth: colours tell how soon z escapes");
    line.output_file("--out", own.out, "Save the picture that the last stage draws as this PNG file");
    line.output_file("--difference", own.difference, "Save as this PNG file which pixels fused multiply-add changes");
    line.flag("--show", own.show, "Open a window to move about in, drawn by the fastest stage");
    for (const char* name : {"--out", "--difference", "--show"}) line.excludes(name, {"--bench"});
}

View view_of(const Own& own) {
    View view;
    view.c = julia::parse_complex("--c", own.c);
    view.center = julia::parse_complex("--center", own.center);
    view.scale = julia::parse_scale(own.scale);
    view.iterations = julia::parse_iterations(own.iterations);
    view.palette = julia::parse_palette(own.palette);
    return view;
}

void run(const View& view, const Own& own, const Options& options, Report& report) {
    const double bytes = julia::bytes_moved(view);
    require_memory(bytes, 4 * bytes);  // the picture, and what the CPU draws with either arithmetic

    Problem problem(view);
    report.begin(julia::title_of(view), problem.picture().pixels().size(),
                 {.bytes = bytes, .flops = problem.operations()});
    problem.run_on_cpu(report);
    const julia::Stage* fastest = nullptr;
    double least_seconds = std::numeric_limits<double>::infinity();
    for (const auto& stage : julia::stages) {
        if (!is_chosen(options, stage.name)) continue;
        const double seconds = problem.run(stage, report);
        if (seconds < least_seconds) fastest = &stage;
        least_seconds = std::min(least_seconds, seconds);
    }
    problem.print_difference();

    if (!own.difference.empty()) problem.difference_picture().save_png(own.difference);
    if (!own.out.empty()) problem.picture().save_png(own.out);
    if (own.show && fastest != nullptr) julia::explore(view, *fastest);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(julia::stages),
                                             [&](CommandLine& line) { add_options(line, own); });
        View view = view_of(own);
        std::vector<std::pair<int, int>> sizes;
        if (!own.size.empty()) sizes.push_back(julia::parse_size(own.size));
        for (const std::size_t n : options.sizes)
            if (own.size.empty()) sizes.push_back(julia::parse_size(std::to_string(n)));

        Report report(chapter, options);
        for (const auto& [width, height] : sizes) {
            view.width = width;
            view.height = height;
            run(view, own, options, report);
        }
        report.write();
    });
}
