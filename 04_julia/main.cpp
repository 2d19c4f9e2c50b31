// Draws a Julia set with every stage, compares the pictures, and prints what each one costs.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/pictures/bitmap.h"
#include "harness/report.h"
#include "harness/text.h"
#include "julia.h"
#include "options.h"
#include "viewer.h"

namespace {

using julia::Arithmetic;
using julia::Own;
using julia::Stage;
using julia::View;

const Chapter chapter{.name = "04_julia",
                      .about = "The Julia set: a picture in which each pixel takes its own time.",
                      .n = 1000,
                      .unit = "pixels a side",
                      .bench_sizes = {128, 512, 1000, 2048, 4096, 8192}};

/// What the host draws with one of the two arithmetics.
struct Reference {
    Reference(const View& view, Arithmetic arithmetic)
        : picture(view.width, view.height), iterations(julia::cpu_threads(view, arithmetic, picture.pixels())) {}

    Bitmap picture;
    std::uint64_t iterations;
};

/// The picture on the host and on the device, and the references to compare it with.
class Drawing : public Trial<Stage> {
  public:
    explicit Drawing(const View& view) : view_(view), picture_(view.width, view.height) {}

    void on_host() override { stage().on_host(view_, stage().arithmetic, picture_.pixels()); }

    void upload() override {}  // the kernels take all input as arguments

    void launch() override { stage().launch(view_, d_pixels_.data()); }

    void download() override { d_pixels_.copy_to(picture_.pixels()); }

    void poison() override {
        std::ranges::fill(picture_.pixels(), Rgba{0, 0, 0, 0});  // no stage draws transparent pixels
        d_pixels_.poison();
    }

    std::optional<double> verify() override {
        const Reference& expected = stage().arithmetic == Arithmetic::separate ? separate_ : fused_;
        require_same(stage().name, picture_, expected.picture);
        return 0;
    }

    /// The operations of all iterations, for stages that compute each of them.
    double operations() const { return julia::operations * static_cast<double>(separate_.iterations); }

    /// The picture that the last stage drew.
    const Bitmap& picture() const { return picture_; }

    /// Prints in how many pixels the two arithmetics differ, and where the first of them is.
    void print_difference() const {
        const Difference difference = compare(fused_.picture, separate_.picture);
        std::string text = "\nFused multiply-add gives another colour to " + with_separators(difference.count) +
                           " of " + with_separators(picture_.pixels().size()) + " pixels";
        if (difference.count > 0)
            text += ", first at x = " + std::to_string(difference.x) + ", y = " + std::to_string(difference.y);
        std::printf("%s.\n", wrapped(text).c_str());
    }

    /// The picture in pale grey; pixels in which the two arithmetics differ are red.
    Bitmap difference_picture() const {
        Bitmap result(view_.width, view_.height);
        for (std::size_t i = 0; i < result.pixels().size(); ++i) {
            const Rgba a = separate_.picture.pixels()[i];
            const auto grey = static_cast<std::uint8_t>(255 - (a.r + a.g + a.b) / 6);
            result.pixels()[i] = a == fused_.picture.pixels()[i] ? Rgba{grey, grey, grey} : Rgba{255, 0, 0};
        }
        return result;
    }

  private:
    const View view_;
    const Reference separate_{view_, Arithmetic::separate}, fused_{view_, Arithmetic::fused};
    Bitmap picture_;
    DeviceBuffer<Rgba> d_pixels_{picture_.pixels().size()};
};

bool any_on_device(std::string_view asked) {
    return std::ranges::any_of(julia::stages,
                               [&](const Stage& stage) { return stage.launch && is_chosen(asked, stage.name); });
}

/// The fastest of the device's stages that ran.
const Stage& fastest(const Report& report) {
    return *std::ranges::min_element(julia::stages, {}, [&](const Stage& stage) {
        constexpr double never = std::numeric_limits<double>::infinity();
        return stage.launch ? report.seconds(stage.name).value_or(never) : never;
    });
}

void run(const View& view, const Own& own, Report& report) {
    const double bytes = julia::bytes_moved(view);
    require_memory(bytes, 4 * bytes);  // on the host: the picture, two references, and their difference
    Drawing trial(view);
    report.begin(julia::title_of(view), trial.picture().pixels().size(), {.bytes = bytes, .flops = trial.operations()});
    report.run(julia::stages, trial);
    trial.print_difference();

    if (!own.difference.empty()) trial.difference_picture().save_png(own.difference);
    if (!own.out.empty()) trial.picture().save_png(own.out);
    if (own.show) julia::explore(view, fastest(report));
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(julia::stages),
                                             [&](CommandLine& line) { add_options(line, own); });
        const std::vector<View> views = views_of(own, options.sizes);
        if (own.show && !any_on_device(options.stage))
            throw usage_error("--show draws on the device, and --stage " + options.stage + " on the host");
        Report report(chapter, options);
        for (const View& view : views) run(view, own, report);
        report.write();
    });
}
