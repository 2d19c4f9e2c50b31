// The softmax of rows by every stage, on random numbers so large that exp() of most of them overflows. Prints what each
// stage costs.

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "harness/report.h"
#include "sizes.h"
#include "softmax.h"
#include "softmax_bound.h"

namespace {

using softmax::Shape;
using softmax::Stage;

const Chapter chapter{.name = "15_attention",
                      .about = "Softmax: rows of numbers become weights that add up to 1.",
                      .n = 4096,
                      .unit = "numbers a row",
                      .bench_sizes = {256, 1024, 4096, 16384, 32768},
                      .n_on_emulator = 1000};

class Softmax : public Trial<Stage> {
  public:
    Softmax(const Shape& shape, std::uint64_t seed)
        : shape_(shape),
          in_(elements(shape)),
          out_(in_.size()),
          host_out_(in_.size()),
          expected_(in_.size()),
          d_in_(in_.size()),
          d_out_(in_.size()) {
        std::mt19937_64 generator(seed);
        std::uniform_real_distribution<float> number(80, 100);  // exp(88.8) is more than a float holds
        for (float& x : in_) x = number(generator);
        softmax::cpu_threads(shape_, in_, expected_);
    }

    void on_host() override { stage().on_host(shape_, in_, host_out_); }
    void upload() override { d_in_.copy_from(in_); }
    void launch() override { stage().launch(shape_, d_in_.data(), d_out_.data()); }
    void download() override { d_out_.copy_to(out_); }

    void poison() override {
        std::ranges::fill(out_, std::numeric_limits<float>::quiet_NaN());
        std::ranges::fill(host_out_, std::numeric_limits<double>::quiet_NaN());
        d_out_.poison();
    }

    std::optional<double> verify() override {
        if (stage().launch) return largest_error(stage().name, shape_, in_, out_, expected_);
        require_same<double>(stage().name, host_out_, expected_);
        return std::nullopt;
    }

  private:
    const Shape shape_;
    std::vector<float> in_, out_;
    std::vector<double> host_out_, expected_;
    DeviceBuffer<float> d_in_, d_out_;
};

void run(const Shape& shape, const Options& options, Report& report) {
    require_memory(bytes_moved(shape), 24.0 * elements(shape));
    Softmax trial(shape, options.seed);
    report.begin(with_separators(shape.rows) + (shape.rows == 1 ? " row of " : " rows of ") +
                     with_separators(shape.columns) + (shape.columns == 1 ? " number" : " numbers"),
                 shape.columns, {.bytes = bytes_moved(shape)});
    report.run(softmax::stages, trial);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string rows = on_emulator() ? "64" : "4096";
        const Options options = read_options(argc, argv, chapter, names_of(softmax::stages), [&](CommandLine& line) {
            line.option("--rows", rows, "How many rows (default: 4096, and 64 on the emulator)");
        });
        Shape shape{sizes::parse_at_most("--rows", rows, (1 << 28) - 1), 0};
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            shape.columns = sizes::parse_at_most("--n", std::to_string(n), 1 << 30);
            run(shape, options, report);
        }
        report.write();
    });
}
