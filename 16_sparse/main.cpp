// Adds two arrays with every stage, prints what each one costs, and the first sums.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "sparse.h"

namespace {

using sparse::Stage;

const Chapter chapter{.name = "16_sparse",
                      .about = "c = a + b, from one thread on the host to the bandwidth of the device's memory.",
                      .n = std::size_t{1} << 20,
                      .unit = "floats",
                      .bench_sizes = {1 << 12, 1 << 16, 1 << 20, 1 << 24, std::size_t{1} << 28}};

/// a = -i and b = i². A double holds the sum of two such floats exactly, so the expected value is rounded once, as in
/// the addition of floats.
class Addition : public Trial<Stage> {
  public:
    explicit Addition(std::size_t n) : a_(n), b_(n), c_(n), expected_(n), d_a_(n), d_b_(n), d_c_(n) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto x = static_cast<float>(i);
            a_[i] = 0 - x;  // -x would make a negative zero of 0
            b_[i] = x * x;
            expected_[i] = static_cast<float>(static_cast<double>(a_[i]) + b_[i]);
        }
    }

    void on_host() override { stage().on_host(a_, b_, c_); }

    void upload() override {
        d_a_.copy_from(a_);
        d_b_.copy_from(b_);
    }

    void launch() override { stage().launch(d_a_.data(), d_b_.data(), d_c_.data(), c_.size()); }

    void download() override { d_c_.copy_to(c_); }

    void poison() override {
        std::fill(c_.begin(), c_.end(), std::numeric_limits<float>::quiet_NaN());
        d_c_.poison();
    }

    std::optional<double> verify() override {
        require_same<float>(stage().name, c_, expected_);
        return 0;
    }

    void print_first_sums() const {
        constexpr std::size_t listed = 10;
        std::printf(c_.size() > listed ? "\nThe first %zu sums:\n" : "\n", listed);
        for (std::size_t i = 0; i < std::min(c_.size(), listed); ++i)
            std::printf("%g + %g = %g\n", a_[i], b_[i], c_[i]);
    }

  private:
    std::vector<float> a_, b_, c_, expected_;
    DeviceBuffer<float> d_a_, d_b_, d_c_;
};

void run(std::size_t n, Report& report) {
    require_memory(3.0 * sizeof(float) * n, 4.0 * sizeof(float) * n);
    Addition trial(n);
    report.begin("n = " + with_separators(n) + " floats", n, {.bytes = sparse::bytes_moved(n)});
    report.run(sparse::stages, trial);
    trial.print_first_sums();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Options options = read_options(argc, argv, chapter, names_of(sparse::stages));
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, report);
        report.write();
    });
}
