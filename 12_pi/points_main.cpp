// Counts random points within a quarter circle with every stage, compares the count with the CPU's, and prints what
// each stage costs and how far the count is from π.

#include <cmath>
#include <cstdio>
#include <string>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "harness/report.h"
#include "points.h"

namespace {

using points::Points;
using points::Stage;

const Chapter chapter{.name = "12_pi",
                      .about = "π by random points: how many of them lie within a quarter circle.",
                      .n = 1'000'000'000,
                      .unit = "points",
                      .bench_sizes = {100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000},
                      .n_on_emulator = 1'000'000};

/// The hits among some points, on the host and on the device.
class Hits : public Trial<Stage> {
  public:
    explicit Hits(const Points& points) : points_(points), expected_(points::cpu_threads(points)) {}

    std::int64_t expected() const { return expected_; }

    void on_host() override { hits_ = stage().on_host(points_); }
    void upload() override {}  // The points are the kernels' arguments.
    void launch() override { stage().launch(points_, d_hits_.data()); }
    void download() override { hits_ = static_cast<std::int64_t>(d_hits_.to_host()[0]); }

    void poison() override {
        hits_ = -1;
        d_hits_.poison();
    }

    /// A count is right or wrong: it must be the same on the host and on the device.
    std::optional<double> verify() override {
        if (hits_ != expected_)
            throw wrong_result(std::string(stage().name) + " is wrong: expected " + std::to_string(expected_) +
                               " hits, got " + std::to_string(hits_));
        return 0;
    }

  private:
    const Points points_;
    const std::int64_t expected_;
    std::int64_t hits_ = 0;
    DeviceBuffer<unsigned long long> d_hits_{1};
};

void run(const Points& points, Report& report) {
    const auto n = static_cast<std::size_t>(points.last);
    Hits trial(points);
    report.begin("random points, seed " + std::to_string(points.seed) + ", n = " + with_separators(n) + " points", n,
                 {.items = static_cast<double>(n), .items_are = "points"});
    report.run(points::stages, trial);

    const auto [pi, error, deviation] = points::estimate(trial.expected(), points.last);
    std::printf("\n%s hits: π is about %.9f, %+.1e off,\nwhich is %.2f times the standard deviation of %.1e\n",
                with_separators(static_cast<std::size_t>(trial.expected())).c_str(), pi, error,
                std::abs(error) / deviation, deviation);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Options options = read_options(argc, argv, chapter, names_of(points::stages));
        for (const std::size_t n : options.sizes)
            if (n > static_cast<std::size_t>(points::max_n))
                throw usage_error("--n " + std::to_string(n) + ": at most 2^38 points");
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run({options.seed, 0, static_cast<std::int64_t>(n)}, report);
        report.write();
    });
}
