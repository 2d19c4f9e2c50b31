// Heats a box with every stage, compares the temperatures with the CPU's and with the exact ones, and prints what each
// stage costs.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "box.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "sizes.h"
#include "wave.h"

namespace {

using box::Box;
using box::Stage;

const Chapter chapter{.name = "14_stencil",
                      .about = "Heat in a box: each point becomes a mean of itself and its six neighbours.",
                      .n = 256,
                      .unit = "points a side",
                      .bench_sizes = {32, 64, 128, 256, 512},
                      .n_on_emulator = 32};

constexpr box::Weights weights{0.25f, 0.125f};

/// The box on the host and on the device.
class Heat : public Trial<Stage> {
  public:
    explicit Heat(const Box& box)
        : box_(box),
          wave_(std::vector{box.width, box.height, box.depth}, weights.centre, weights.neighbour),
          in_(wave_.at_start()),
          out_(in_.size()),
          scratch_(in_.size()),
          expected_(in_.size()),
          d_in_(in_.size()),
          d_out_(in_.size()),
          d_scratch_(in_.size()) {
        box::cpu_threads(box_, in_, expected_, scratch_);
        error_ = wave_.largest_error("b1_cpu", expected_, box_.steps);
    }

    void on_host() override { stage().on_host(box_, in_, out_, scratch_); }
    void upload() override { d_in_.copy_from(in_); }
    void launch() override { stage().launch(box_, d_in_.data(), d_out_.data(), d_scratch_.data()); }
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
    const Box box_;
    const wave::Wave wave_;
    std::vector<float> in_, out_, scratch_, expected_;
    double error_ = 0;  // of what is expected
    DeviceBuffer<float> d_in_, d_out_, d_scratch_;
};

void run(const std::vector<int>& sides, int steps, Report& report) {
    const double points = 1.0 * sides[0] * sides[1] * sides[2];
    require_memory(3 * sizeof(float) * points, 4 * sizeof(float) * points);
    const Box box{sides[0], sides[1], sides[2], steps, weights};
    Heat trial(box);
    report.begin(sizes::title(sides, steps), static_cast<std::size_t>(points) * steps,
                 {.bytes = box::bytes_moved(box)});
    report.run(box::stages, trial);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string size, steps_given = "16";
        const Options options = read_options(argc, argv, chapter, names_of(box::stages), [&](CommandLine& line) {
            line.option("--size", size, "How many points, WIDTHxHEIGHTxDEPTH, e.g. 320x200x100");
            line.excludes("--size", {"--n", "--bench"});
            line.option("--steps", steps_given, "How many steps of time (default: " + steps_given + ")");
        });
        const int steps = sizes::parse_at_most("--steps", steps_given, 1'000'000);
        std::vector<std::vector<int>> boxes;
        if (!size.empty())
            boxes.push_back(sizes::parse_size(size, 3, box::max_side));
        else
            for (const std::size_t n : options.sizes)
                boxes.emplace_back(3, sizes::parse_at_most("--n", std::to_string(n), box::max_side));
        Report report(chapter, options);
        for (const std::vector<int>& sides : boxes) run(sides, steps, report);
        report.write();
    });
}
