// Computes π with every stage, in double and in float, and prints what each one costs and how many digits are right.

#include "pi.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include "common/verify.h"

namespace {

const Chapter chapter{.name = "12_pi",
                      .about = "The area below 4 / (1 + x²): with threads, OpenMP and CUDA, in double and in float.",
                      .n = 1'000'000'000,
                      .unit = "terms",
                      .bench_sizes = {1'000'000'000},
                      .n_on_emulator = 10'000'000};

constexpr std::int64_t most_that_share = 4'000'000;  // terms: a critical section each takes long
constexpr unsigned most_threads = 1024;

template <class T>
constexpr const char* type = std::is_same_v<T, float> ? "float" : "double";

/// The relative error of a stage's result. Throws wrong_result for one that its method cannot have.
template <class T>
double verified(std::string_view stage, T value, const pi::Terms& terms, double roundings) {
    const long double exact = pi::exact(terms);
    const double bound = pi::error_bound<T>(static_cast<double>(exact), roundings);
    if (std::isfinite(bound)) require_within(stage, value, static_cast<double>(exact), bound);
    // Where nothing is promised, a sum of positive terms is still positive, and no infinity.
    if (!(value > 0 && std::isfinite(value))) throw wrong_result(std::string(stage) + " is not even a positive number");
    return static_cast<double>(std::abs(value - exact) / exact);
}

bool any_chosen(const Options& options, const auto&... stages) {
    const auto among = [&](const auto& list) {
        return std::any_of(std::begin(list), std::end(list), [&](auto& s) { return is_chosen(options, s.name); });
    };
    return (among(stages) || ...);
}

template <class T>
void run_stages(const pi::Terms& terms, unsigned threads, const Options& options, Report& report) {
    if (!any_chosen(options, pi::cpu_stages<T>, pi::gpu_stages<T>)) return;
    const auto n = static_cast<std::size_t>(terms.n);
    report.begin(
        "in " + std::string(type<T>) + ", n = " + with_separators(n) + " terms", n,
        {.flops = pi::operations(terms.n), .precision = std::is_same_v<T, float> ? Precision::fp32 : Precision::fp64});
    for (const auto& stage : pi::cpu_stages<T>) {
        if (!is_chosen(options, stage.name)) continue;
        T value = 0;
        report.cpu(
            stage.name, stage.idea, [&] { value = stage.run(terms, threads); },
            [&] { return verified(stage.name, value, terms, stage.roundings(terms, threads)); });
    }

    auto workspace = pi::make_workspace<T>();
    DeviceBuffer<T> result(1);
    for (const auto& stage : pi::gpu_stages<T>) {
        if (!is_chosen(options, stage.name)) continue;
        const auto launch = [&] { stage.run(terms, result.data(), workspace.data()); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { result.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            launch();
                            result.to_host();
                        },
                    .verify =
                        [&] {
                            const double roundings = stage.roundings(terms, threads);
                            return verified(stage.name, result.to_host()[0], terms, roundings);
                        }});
    }
}

/// What becomes of it when all threads write to memory with each term. One of these results is wrong.
void run_sharing(const pi::Terms& terms, unsigned threads, const Options& options, Report& report) {
    if (!any_chosen(options, pi::sharing_stages)) return;
    const auto n = static_cast<std::size_t>(terms.n);
    report.begin("every term to memory, threads: " + std::to_string(threads) + ", n = " + with_separators(n) + " terms",
                 n, {.flops = pi::operations(terms.n), .precision = Precision::fp64});
    const double roundings = pi::serial_roundings(terms, threads);
    for (const auto& stage : pi::sharing_stages) {
        if (!is_chosen(options, stage.name)) continue;
        double value = 0;
        report.cpu(
            stage.name, stage.idea, [&] { value = stage.run(terms, threads); },
            [&] {
                const auto exact = static_cast<double>(pi::exact(terms));
                const bool too_small = value > 0 && value < exact;  // terms may get lost, and none can be added
                if (stage.loses_terms && too_small) return (exact - value) / exact;
                return verified(stage.name, value, terms, roundings);
            });
    }
}

std::vector<StageName> all_stages() {
    std::vector<StageName> names = names_of(pi::cpu_stages<double>);
    for (const auto& more : {names_of(pi::gpu_stages<double>), names_of(pi::sharing_stages)})
        names.insert(names.end(), more.begin(), more.end());
    return names;
}

unsigned parse_threads(const std::string& text) {
    const std::size_t threads = parse_count("--threads", text);
    if (threads > most_threads) throw usage_error("--threads " + text + ": at most " + std::to_string(most_threads));
    return static_cast<unsigned>(threads);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string threads_text = std::to_string(std::clamp(std::thread::hardware_concurrency(), 1u, most_threads));
        const Options options = read_options(argc, argv, chapter, all_stages(), [&](CommandLine& line) {
            line.option("--threads", threads_text,
                        "How many threads on the host (default: one for each core, here " + threads_text + ")");
        });
        const unsigned threads = parse_threads(threads_text);
        for (const std::size_t n : options.sizes)
            if (n > static_cast<std::size_t>(pi::max_n))
                throw usage_error("--n " + std::to_string(n) + ": at most 2^52 terms, beyond a double has no i + ½");

        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const pi::Terms terms = pi::all_terms(static_cast<std::int64_t>(n));
            run_stages<double>(terms, threads, options, report);
            run_stages<float>(terms, threads, options, report);
            run_sharing(pi::all_terms(std::min(terms.n, most_that_share)), threads, options, report);
        }
        report.write();
    });
}
