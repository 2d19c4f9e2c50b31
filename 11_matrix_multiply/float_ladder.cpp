// Runs the float stages, compares every element with the product in double, and prints what each stage costs.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <thread>
#include <utility>

#include "common/verify.h"
#include "ladders.h"

namespace matrix_multiply {
namespace {

constexpr double most_for_one_thread = 1e10;  // multiply-adds; more of them take it a minute

/// The largest error, as a part of the largest element. Throws wrong_result, with the first wrong index, unless every
/// element is within its bound. A NaN never is.
double verify(std::string_view stage, std::span<const float> actual, std::span<const double> expected,
              const ErrorBound& bound, std::size_t columns) {
    double largest = 0, largest_error = 0;
    for (std::size_t index = 0; index < actual.size(); ++index) {
        const std::size_t i = index / columns, j = index % columns;
        const double error = std::abs(actual[index] - expected[index]);
        if (!(error <= bound(i, j))) {
            std::ostringstream text;
            text.precision(9);
            text << stage << " is wrong at row " << i << ", column " << j << ": expected " << expected[index]
                 << " within " << bound(i, j) << ", got " << actual[index];
            throw wrong_result(text.str());
        }
        largest = std::max(largest, std::abs(expected[index]));
        largest_error = std::max(largest_error, error);
    }
    return largest_error == 0 ? 0 : largest_error / largest;
}

/// The matrices on the device, in one of the layouts.
struct OnDevice {
    OnDevice(const Input& input, Rows layout)
        : a(input.shape.m, input.shape.k, layout),
          b(input.shape.k, input.shape.n, layout),
          c(input.shape.m, input.shape.n, layout) {
        copy_from(input);
    }

    void copy_from(const Input& input) {
        a.copy_from(input.a);
        b.copy_from(input.b);
    }

    DeviceMatrix<float> a, b, c;
};

}  // namespace

unsigned host_threads() {
    return std::max(1u, std::thread::hardware_concurrency());
}

void run_float(const Input& input, std::span<const unsigned> threads, const Options& options, Report& report) {
    const auto [m, k, n] = input.shape;
    std::vector<double> expected(m * n), by_threads(m * n);
    const bool is_quick = 1.0 * m * k * n <= most_for_one_thread;
    if (is_quick)
        report.cpu("1_cpu", "one thread on the host, in double", [&] { cpu(input.a, input.b, input.shape, expected); });
    report.cpu("1_cpu_threads", std::to_string(host_threads()) + " threads, each with rows of its own",
               [&] { cpu(input.a, input.b, input.shape, by_threads, host_threads()); });
    if (is_quick)
        require_same<double>("1_cpu_threads", by_threads, expected);
    else
        expected = std::move(by_threads);

    const ErrorBound bound(input.a, input.b, input.shape);
    OnDevice dense(input, Rows::dense), with_pitch(input, Rows::pitched);
    std::vector<float> c(m * n);
    const auto run = [&](const std::string& name, std::string_view idea, Rows layout, const auto& multiply) {
        OnDevice& matrices = layout == Rows::dense ? dense : with_pitch;
        const auto launch = [&] { multiply(matrices.a.view(), matrices.b.view(), matrices.c.view()); };
        report.gpu(name, idea,
                   {.poison = [&] { matrices.c.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            matrices.copy_from(input);
                            launch();
                            matrices.c.copy_to(c);
                        },
                    .verify =
                        [&] {
                            matrices.c.copy_to(c);
                            return verify(name, c, expected, bound, input.shape.n);
                        }});
    };

    for (const FloatStage& stage : stages) {
        if (!is_chosen(options, stage.name)) continue;
        if (stage.run != row_per_block) {
            run(std::string(stage.name), stage.idea, stage.layout, stage.run);
            continue;
        }
        for (const unsigned count : threads) {
            const std::string suffix = count == notes_threads ? "" : "_" + std::to_string(count);
            run(std::string(stage.name) + suffix, stage.idea, stage.layout,
                [&](auto a, auto b, auto c) { row_per_block_with(count, a, b, c); });
        }
    }
}

}  // namespace matrix_multiply
