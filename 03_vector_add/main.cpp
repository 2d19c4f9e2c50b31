// Adds two arrays with every stage, prints what each one costs, and the first sums.

#include <algorithm>
#include <cstdio>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "vector_add.h"

namespace {

const Chapter chapter{.name = "03_vector_add",
                      .about = "c = a + b, from one thread on the host to the bandwidth of the device's memory.",
                      .n = std::size_t{1} << 20,
                      .unit = "floats",
                      .bench_sizes = {std::size_t{1} << 28}};

constexpr std::size_t listed_sums = 10;

void run(std::size_t n, const Options& options, Report& report) {
    require_memory(3.0 * sizeof(float) * n, 4.0 * sizeof(float) * n);

    std::vector<float> a(n), b(n), c(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(i);
        a[i] = 0 - x;  // -x would make a negative zero of 0
        b[i] = x * x;
    }

    report.begin("n = " + with_separators(n) + " floats", n, {.bytes = vector_add::bytes_moved(n)});
    report.cpu("1_cpu", "one thread on the host", [&] { vector_add::cpu(a, b, expected); });

    auto d_a = DeviceBuffer<float>::from_host(a), d_b = DeviceBuffer<float>::from_host(b);
    DeviceBuffer<float> d_c(n);
    for (const auto& stage : vector_add::stages) {
        if (!is_chosen(options, stage.name)) continue;
        const auto launch = [&] { stage.run(d_a.data(), d_b.data(), d_c.data(), n); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { d_c.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            d_a.copy_from(a);
                            d_b.copy_from(b);
                            launch();
                            d_c.copy_to(c);
                        },
                    .verify =
                        [&] {
                            d_c.copy_to(c);
                            require_same<float>(stage.name, c, expected);
                            return 0.0;
                        }});
    }

    std::printf(n > listed_sums ? "\nThe first %zu sums:\n" : "\n", listed_sums);
    for (std::size_t i = 0; i < std::min(n, listed_sums); ++i) std::printf("%g + %g = %g\n", a[i], b[i], c[i]);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Options options = read_options(argc, argv, chapter, names_of(vector_add::stages));
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, options, report);
        report.write();
    });
}
