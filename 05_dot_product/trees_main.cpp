// Makes many small sums with each of the five trees, and prints what each one costs.

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "trees.h"

namespace {

using trees::Stage;

const Chapter chapter{.name = "05_dot_product",
                      .about = "A sum for each 256 floats: five ways to add them up.",
                      .n = std::size_t{1} << 20,
                      .unit = "floats",
                      .bench_sizes = {std::size_t{1} << 28},
                      .n_on_emulator = std::size_t{1} << 18};

/// The values are whole numbers, of which no sum comes near 2^24. So each sum is exact, whatever the order.
class Sums : public Trial<Stage> {
  public:
    explicit Sums(std::size_t n)
        : values_(n), sums_(trees::sums_of(n)), expected_(trees::sums_of(n)), d_values_(n), d_sums_(sums_.size()) {
        for (std::size_t i = 0; i < n; ++i) {
            values_[i] = static_cast<float>(i % 1009) - 400;
            expected_[i / trees::values_a_sum] += values_[i];
        }
    }

    void on_host() override {}

    void upload() override { d_values_.copy_from(values_); }

    void launch() override { stage().launch(d_values_.data(), values_.size(), d_sums_.data()); }

    void download() override { d_sums_.copy_to(sums_); }

    void poison() override {
        std::fill(sums_.begin(), sums_.end(), std::nanf(""));
        d_sums_.poison();
    }

    std::optional<double> verify() override {
        require_same<float>(stage().name, sums_, expected_);
        return 0;
    }

  private:
    std::vector<float> values_, sums_, expected_;
    DeviceBuffer<float> d_values_, d_sums_;
};

void run(std::size_t n, Report& report) {
    require_memory(1.1 * sizeof(float) * static_cast<double>(n), 1.1 * sizeof(float) * static_cast<double>(n));
    Sums trial(n);
    report.begin("a sum for each 256 floats, n = " + with_separators(n) + " floats", n,
                 {.bytes = trees::bytes_moved(n)});
    report.run(trees::stages, trial);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Options options = read_options(argc, argv, chapter, names_of(trees::stages));
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, report);
        report.write();
    });
}
