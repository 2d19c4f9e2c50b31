// Makes the notes' input, or a random one, runs every stage on it and prints what each one costs and how exact it is.

#include <cmath>
#include <cstdio>
#include <random>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "dot_product.h"

namespace {

const Chapter chapter{.name = "05_dot_product",
                      .about = "The sum of a[i] * b[i], from a loop to the bandwidth of the device's memory.",
                      .n = 33 * 1024,
                      .unit = "pairs",
                      .bench_sizes = {33 * 1024, std::size_t{1} << 28}};

// Up to here a and b hold i and 2i exactly, and 64 bits hold (n-1) n (2n-1).
constexpr std::size_t longest_closed_form = std::size_t{1} << 21;

struct Result {
    std::string_view stage;
    double value;
};

/// The notes print the closed form beside the sum with %.6g, and both look the same. Here are all digits.
void print_closed_form(std::size_t n, const std::vector<Result>& results) {
    const auto sum = static_cast<double>((n - 1) * n * (2 * n - 1) / 3);
    std::printf("\n%-24s%28s%18s\n", "sum of i * 2i", "", "too much by");
    std::printf("%-24s%28.0f\n", "(n-1) n (2n-1) / 3", sum);
    for (const Result& result : results)
        std::printf("%-24s%28.0f%18.0f\n", std::string(result.stage).c_str(), result.value, result.value - sum);
}

void run(std::size_t n, bool random, const Options& options, Report& report) {
    require_memory(2.0 * sizeof(float) * n, 2.0 * sizeof(float) * n);

    std::vector<float> a(n), b(n);
    std::mt19937_64 generator(options.seed);
    std::uniform_real_distribution<float> between(-1, 1);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = random ? between(generator) : static_cast<float>(i);
        b[i] = random ? between(generator) : 2 * a[i];
    }

    const std::string title = "n = " + with_separators(n) + " pairs" + (random ? ", random" : "");
    report.begin(title, n, {.bytes = dot_product::bytes_moved(n)});
    std::vector<Result> results;
    double cpu_sum = 0;
    report.cpu("1_cpu", "one thread on the host, in double", [&] { cpu_sum = dot_product::cpu(a, b); });
    results.push_back({"1_cpu", cpu_sum});

    const dot_product::Exact exact = dot_product::exact(a, b);
    auto d_a = DeviceBuffer<float>::from_host(a), d_b = DeviceBuffer<float>::from_host(b);
    auto workspace = dot_product::make_workspace();
    DeviceBuffer<float> d_result(1);
    for (const auto& stage : dot_product::stages) {
        if (!is_chosen(options, stage.name)) continue;
        results.push_back({stage.name, 0});
        const auto launch = [&] { stage.run(d_a.data(), d_b.data(), n, d_result.data(), workspace.data()); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { d_result.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            d_a.copy_from(a);
                            d_b.copy_from(b);
                            launch();
                            d_result.to_host();
                        },
                    .verify =
                        [&] {
                            const float value = d_result.to_host()[0];
                            require_within(stage.name, value, exact.value,
                                           dot_product::error_bound(exact, n, stage.roundings(n), stage.atomic));
                            results.back().value = value;
                            const double error = std::abs(value - exact.value);
                            return error == 0 ? 0 : error / std::abs(exact.value);
                        }});
    }

    if (!random && n <= longest_closed_form) print_closed_form(n, results);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        bool random = false;
        const Options options =
            read_options(argc, argv, chapter, names_of(dot_product::stages), [&](CommandLine& line) {
                line.flag("--random", random, "Numbers between -1 and 1, from --seed, instead of i and 2i");
            });
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, random, options, report);
        report.write();
    });
}
