// Runs every stage on i and 2i, on random numbers, or on ones, and prints what each one costs and how exact it is.

#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "exact.h"
#include "harness/report.h"

namespace {

using dot_product::Stage;

const Chapter chapter{.name = "05_dot_product",
                      .about = "The sum of a[i] * b[i], from a loop to the bandwidth of the device's memory.",
                      .n = 33 * 1024,
                      .unit = "pairs",
                      .bench_sizes = {1 << 12, 33 * 1024, 1 << 20, 1 << 24, std::size_t{1} << 28}};

// Up to this n, a and b hold i and 2i exactly, and 64 bits hold (n-1) n (2n-1).
constexpr std::size_t longest_closed_form = std::size_t{1} << 21;

/// The chapter's own options.
struct Own {
    bool random = false, ones = false;
};

/// The dot product of a = i and b = 2i, of random numbers, or of ones.
class DotProduct : public Trial<Stage> {
  public:
    DotProduct(std::size_t n, const Own& own, std::uint64_t seed) : a_(n), b_(n), d_a_(n), d_b_(n) {
        std::mt19937_64 generator(seed);
        std::uniform_real_distribution<float> between(-1, 1);
        for (std::size_t i = 0; i < n; ++i) {
            a_[i] = own.ones ? 1 : own.random ? between(generator) : static_cast<float>(i);
            b_[i] = own.ones ? 1 : own.random ? between(generator) : 2 * a_[i];
        }
        exact_ = dot_product::exact(a_, b_);
    }

    void on_host() override { sum_ = stage().on_host(a_, b_); }

    void upload() override {
        d_a_.copy_from(a_);
        d_b_.copy_from(b_);
    }

    void launch() override { stage().launch(d_a_.data(), d_b_.data(), a_.size(), d_sum_.data(), workspace_.data()); }

    void download() override { sum_ = d_sum_.to_host()[0]; }

    void poison() override {
        sum_ = std::nan("");
        d_sum_.poison();
    }

    std::optional<double> verify() override {
        const std::size_t n = a_.size();
        const double bound = dot_product::error_bound(exact_, n, stage().roundings(n), stage().atomic);
        require_within(stage().name, sum_, exact_.value, bound);
        sums_[stage().name] = sum_;
        const double error = std::abs(sum_ - exact_.value);
        return error == 0 ? 0 : error / std::abs(exact_.value);
    }

    /// Prints the closed form and each stage's sum with all digits. With %.6g they would look the same.
    void print_closed_form() const {
        const std::size_t n = a_.size();
        const auto expected = static_cast<double>((n - 1) * n * (2 * n - 1) / 3);
        std::printf("\n%-24s%28s%18s\n", "sum of i * 2i", "", "too much by");
        std::printf("%-24s%28.0f\n", "(n-1) n (2n-1) / 3", expected);
        for (const auto& [stage, sum] : sums_)
            std::printf("%-24s%28.0f%18.0f\n", std::string(stage).c_str(), sum, sum - expected);
    }

  private:
    std::vector<float> a_, b_;
    DeviceBuffer<float> d_a_, d_b_, d_sum_{1};
    DeviceBuffer<dot_product::Workspace> workspace_ = dot_product::make_workspace();
    double sum_ = 0;
    std::map<std::string_view, double> sums_;  // of each stage
    dot_product::Exact exact_;
};

void run(std::size_t n, const Own& own, const Options& options, Report& report) {
    require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);
    DotProduct trial(n, own, options.seed);
    const std::string kind = own.ones ? ", ones" : own.random ? ", random" : "";
    report.begin("n = " + with_separators(n) + " pairs" + kind, n, {.bytes = dot_product::bytes_moved(n)});
    report.run(dot_product::stages, trial);
    if (kind.empty() && n <= longest_closed_form) trial.print_closed_form();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options =
            read_options(argc, argv, chapter, names_of(dot_product::stages), [&](CommandLine& line) {
                line.flag("--random", own.random, "Numbers between -1 and 1, from --seed, instead of i and 2i");
                line.flag("--ones", own.ones, "Ones instead of i and 2i, so that the result is n");
                line.excludes("--ones", {"--random"});
            });
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, own, options, report);
        report.write();
    });
}
