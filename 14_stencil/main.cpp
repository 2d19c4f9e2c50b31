// Heats a plate with every stage, compares the temperatures with the CPU's and with the exact ones, and prints what
// each stage costs. It can also show the plate while it heats up.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "heating.h"
#include "sizes.h"
#include "stencil.h"
#include "wave.h"

namespace {

using stencil::Plate;
using stencil::Stage;

const Chapter chapter{.name = "14_stencil",
                      .about = "Heat in a plate: each point becomes a mean of itself and its four neighbours.",
                      .n = 4096,
                      .unit = "points a side",
                      .bench_sizes = {128, 512, 1024, 2048, 4096, 8192},
                      .n_on_emulator = 128};

constexpr stencil::Weights weights{0.5f, 0.125f};

/// The chapter's own options, as they were given.
struct Own {
    std::string size, steps = "64", out;
    bool show = false;
};

/// The plate on the host and on the device.
class Heat : public Trial<Stage> {
  public:
    explicit Heat(const Plate& plate)
        : plate_(plate),
          wave_(std::vector{plate.width, plate.height}, weights.centre, weights.neighbour),
          in_(wave_.at_start()),
          out_(in_.size()),
          scratch_(in_.size()),
          expected_(in_.size()),
          d_in_(in_.size()),
          d_out_(in_.size()),
          d_scratch_(in_.size()) {
        stencil::cpu_threads(plate_, in_, expected_, scratch_);
        error_ = wave_.largest_error("1_cpu", expected_, plate_.steps);
    }

    void on_host() override { stage().on_host(plate_, in_, out_, scratch_); }
    void upload() override { d_in_.copy_from(in_); }
    void launch() override { stage().launch(plate_, d_in_.data(), d_out_.data(), d_scratch_.data()); }
    void download() override { d_out_.copy_to(out_); }

    void poison() override {
        std::ranges::fill(out_, std::numeric_limits<float>::quiet_NaN());
        d_out_.poison();
        d_scratch_.poison();
    }

    /// The same bits as on the host, which are as near to the exact temperatures as the roundings allow.
    std::optional<double> verify() override {
        require_same<float>(stage().name, out_, expected_);
        return error_;
    }

  private:
    const Plate plate_;
    const wave::Wave wave_;
    std::vector<float> in_, out_, scratch_, expected_;
    double error_ = 0;  // of what is expected
    DeviceBuffer<float> d_in_, d_out_, d_scratch_;
};

std::vector<Plate> plates_of(const Options& options, const Own& own) {
    const int steps = sizes::parse_at_most("--steps", own.steps, 1'000'000);
    std::vector<Plate> plates;
    if (!own.size.empty()) {
        const std::vector<int> sides = sizes::parse_size(own.size, 2, stencil::max_side);
        return {{sides[0], sides[1], steps, weights}};
    }
    for (const std::size_t n : options.sizes) {
        const int side = sizes::parse_at_most("--n", std::to_string(n), stencil::max_side);
        plates.push_back({side, side, steps, weights});
    }
    return plates;
}

/// The fastest of the device's stages that ran.
const Stage& fastest(const Report& report) {
    return *std::ranges::min_element(stencil::stages, {}, [&](const Stage& stage) {
        constexpr double never = std::numeric_limits<double>::infinity();
        return stage.launch ? report.seconds(stage.name).value_or(never) : never;
    });
}

bool any_on_device(std::string_view asked) {
    return std::ranges::any_of(stencil::stages,
                               [&](const Stage& stage) { return stage.launch && is_chosen(asked, stage.name); });
}

void run(Plate plate, const Own& own, Report& report) {
    const double points = 1.0 * plate.width * plate.height;
    // Stage 8 keeps two more plates on the devices. On the host a stage's result is compared with the reference.
    require_memory(5 * sizeof(float) * points, 4 * sizeof(float) * points);
    {
        Heat trial(plate);
        const auto all_points = static_cast<std::size_t>(points) * plate.steps;
        report.begin(sizes::title({plate.width, plate.height}, plate.steps), all_points,
                     {.bytes = stencil::bytes_moved(plate)});
        report.run(stencil::stages, trial);
    }
    if (!own.out.empty()) heated(plate, fastest(report)).save_png(own.out);
    if (own.show) {
        constexpr int most = 512;  // heat takes four times as long to pass through twice as many points
        plate.width = std::min(plate.width, most);
        plate.height = std::min(plate.height, most);
        show_heating(plate, fastest(report));
    }
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(stencil::stages), [&](CommandLine& line) {
            line.option("--size", own.size, "How many points, WIDTHxHEIGHT, e.g. 1920x1080");
            line.excludes("--size", {"--n", "--bench"});
            line.option("--steps", own.steps, "How many steps of time (default: " + own.steps + ")");
            line.output_file("--out", own.out,
                             "Save as this PNG file how far the heat of a hot edge comes in that time");
            line.flag("--show", own.show, "Open a window in which the plate heats up, by the fastest stage");
            for (const char* name : {"--out", "--show"}) line.excludes(name, {"--bench"});
        });
        if ((own.show || !own.out.empty()) && !any_on_device(options.stage))
            throw usage_error("--out and --show draw what the device computes, and --stage " + options.stage +
                              " is of the host");
        const std::vector<Plate> plates = plates_of(options, own);
        Report report(chapter, options);
        for (const Plate& plate : plates) run(plate, own, report);
        report.write();
    });
}
