// Computes π with every stage, in double and in float, and prints what each one costs and how many digits are right.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "exact.h"
#include "harness/report.h"

namespace {

using pi::Stage;

const Chapter chapter{.name = "12_pi",
                      .about = "The area below 4 / (1 + x²): with threads, OpenMP and CUDA, in double and in float.",
                      .n = 1'000'000'000,
                      .unit = "terms",
                      .bench_sizes = {100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000},
                      .n_on_emulator = 10'000'000};

constexpr std::int64_t most_that_share = 4'000'000;  // terms: a critical section for each takes long
constexpr unsigned most_threads = 1024;

/// The chapter's own options.
struct Own {
    std::string threads = std::to_string(std::clamp(std::thread::hardware_concurrency(), 1u, most_threads));
};

/// The stages for --help, each with its variants behind it.
std::vector<StageName> all_stages() {
    std::vector<StageName> stages = names_of(pi::stages<double>, pi::sharing_stages);
    std::ranges::stable_sort(stages, is_before, &StageName::name);
    return stages;
}

unsigned parse_threads(const std::string& text) {
    const std::size_t threads = parse_count("--threads", text);
    if (threads > most_threads) throw usage_error("--threads " + text + ": at most " + std::to_string(most_threads));
    return static_cast<unsigned>(threads);
}

/// The sum of all terms, in arithmetic of type T. threads: how many may work on the host.
template <class T>
class Sum : public Trial<Stage<T>> {
    using Trial<Stage<T>>::stage;

  public:
    Sum(const pi::Terms& terms, unsigned threads) : terms_(terms), threads_(threads), exact_(pi::exact(terms)) {}

    void on_host() override { sum_ = stage().on_host(terms_, threads_); }

    void upload() override {}  // the terms' numbers are the kernels' arguments

    void launch() override { stage().launch(terms_, d_sum_.data(), workspace_.data()); }

    void download() override { sum_ = d_sum_.to_host()[0]; }

    void poison() override {
        sum_ = std::numeric_limits<T>::quiet_NaN();
        d_sum_.poison();
    }

    std::optional<double> verify() override {
        const auto exact = static_cast<double>(exact_);
        const double bound = pi::error_bound<T>(exact, stage().roundings(terms_, threads_));
        // If terms get lost, or there is no bound, the sum of positive terms must still be positive and finite.
        const bool lost_some = stage().loses_terms && threads_ > 1 && sum_ < exact;
        if (std::isfinite(bound) && !lost_some) require_within(stage().name, sum_, exact, bound);
        if (!(sum_ > 0 && std::isfinite(sum_)))
            throw wrong_result(std::string(stage().name) + " is not even a positive number");
        return static_cast<double>(std::abs(sum_ - exact_) / exact_);
    }

  private:
    pi::Terms terms_;
    unsigned threads_;
    long double exact_;
    T sum_ = 0;
    DeviceBuffer<T> d_sum_{1};
    DeviceBuffer<pi::Workspace<T>> workspace_ = pi::make_workspace<T>();
};

/// Makes a table of the stages that --stage chooses, if it chooses any of these.
template <class T, class Stages>
void run(const std::string& title, const pi::Terms& terms, const Stages& stages, unsigned threads,
         const Options& options, Report& report) {
    if (!any_chosen(options.stage, stages)) return;
    Sum<T> trial(terms, threads);
    const auto n = static_cast<std::size_t>(terms.n);
    report.begin(
        title + ", n = " + with_separators(n) + " terms", n,
        {.flops = pi::operations(terms.n), .precision = std::is_same_v<T, float> ? Precision::fp32 : Precision::fp64});
    report.run(stages, trial);
}

void run(std::size_t n, unsigned threads, const Options& options, Report& report) {
    const pi::Terms terms = pi::all_terms(static_cast<std::int64_t>(n));
    run<double>("in double", terms, pi::stages<double>, threads, options, report);
    run<float>("in float", terms, pi::stages<float>, threads, options, report);
}

/// The variants whose threads all write to memory with each term. One of these results is wrong.
void run_sharing(std::size_t n, unsigned threads, const Options& options, Report& report) {
    const pi::Terms terms = pi::all_terms(static_cast<std::int64_t>(n));
    run<double>("every term to memory, threads: " + std::to_string(threads),
                pi::all_terms(std::min(terms.n, most_that_share)), pi::sharing_stages, threads, options, report);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, all_stages(), [&](CommandLine& line) {
            line.option("--threads", own.threads,
                        "How many threads on the host (default: one for each core, here " + own.threads + ")");
        });
        const unsigned threads = parse_threads(own.threads);
        for (const std::size_t n : options.sizes)
            if (n > static_cast<std::size_t>(pi::max_n))
                throw usage_error("--n " + std::to_string(n) + ": at most 2^52 terms, beyond a double has no i + ½");

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, threads, options, report);
        run_sharing(options.sizes.back(), threads, options, report);
        report.write();
    });
}
