// Makes values, lets every stage sort them and prints what each one costs; or shows the phases on a few values.

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "bubble_sort.h"
#include "common/device_buffer.h"
#include "common/stage.h"
#include "common/text.h"
#include "input.h"
#include "keys.h"

namespace {

using namespace bubble_sort;

const Chapter chapter{
    .name = "09_bubble_sort",
    .about = "Sorting: from neighbours that change places to merging, and to a sort that compares nothing.",
    .n = 1024,
    .unit = "values",
    .bench_sizes = {1 << 10, 1 << 11, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20}};

constexpr std::size_t cpu_patience = 1 << 14;
constexpr std::size_t emulator_is_slower = 256;  // times
constexpr std::size_t longest_trace = 40;

template <class T>
std::string text_of(T value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

/// One right answer: no two values have the same key, so that a sorted permutation of the input is `expected`, bit for
/// bit, and nothing else is.
template <class T>
void require_sorted(std::string_view stage, const std::vector<T>& actual, const std::vector<T>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (key_of(actual[i]) != key_of(expected[i]))
            throw wrong_result(std::string(stage) + " is wrong at index " + std::to_string(i) + ": expected " +
                               text_of(expected[i]) + ", got " + text_of(actual[i]));
}

/// In place of a row of the table.
void print_left_out(std::string_view stage, const std::string& why) {
    std::printf("%-24sleft out: %s\n", std::string(stage).c_str(), why.c_str());
}

template <class T>
void run_cpu(const std::vector<T>& input, const std::vector<T>& expected, Report& report) {
    std::vector<T> values;
    report.cpu("1_cpu_sort", "std::sort(), one thread on the host", [&] {
        values = input;
        cpu_sort(std::span(values));
    });
    if (input.size() > cpu_patience) {
        print_left_out("1_cpu", "slow beyond " + with_separators(cpu_patience));
        return;
    }
    report.cpu("1_cpu", "odd-even transposition, one thread on the host", [&] {
        values = input;
        cpu(std::span(values));
    });
    require_sorted("1_cpu", values, expected);
}

template <class T>
void run(std::string_view kind, std::size_t n, const Options& options, Report& report) {
    require_memory(6.0 * sizeof(T) * static_cast<double>(n), 4.0 * sizeof(T) * static_cast<double>(n));
    const std::vector<T> input = make_values<T>(kind, n, options.seed);
    std::vector<T> expected = input, sorted(n);
    cpu_sort(std::span(expected));

    const std::string type = std::is_same_v<T, float> ? " floats" : " ints";
    report.begin(std::string(kind) + type + ", n = " + with_separators(n), n, {.bytes = bytes_moved(n)});
    run_cpu(input, expected, report);

    auto d_in = DeviceBuffer<T>::from_host(input);
    DeviceBuffer<T> d_out(n);
    for (const auto& stage : stages<T>) {
        if (!is_chosen(options, stage.name)) continue;
        const std::size_t patience = on_emulator() ? stage.patience / emulator_is_slower : stage.patience;
        if (options.stage.empty() && n > std::min(stage.most, patience)) {
            print_left_out(stage.name, n > stage.most
                                           ? "sorts at most " + with_separators(stage.most)
                                           : "slow beyond " + with_separators(patience) + ", --stage insists");
            continue;
        }
        const auto launch = [&] { stage.run(d_in.data(), d_out.data(), n); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { d_out.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            d_in.copy_from(input);
                            launch();
                            d_out.copy_to(sorted);
                        },
                    .verify =
                        [&] {
                            d_out.copy_to(sorted);
                            require_sorted(stage.name, sorted, expected);
                            return 0.0;
                        }});
    }
}

/// The array after each phase; the pairs that were compared are in parentheses.
template <class T>
void trace(std::string_view kind, std::size_t n, std::uint64_t seed) {
    if (n > longest_trace)
        throw usage_error("--trace shows at most " + std::to_string(longest_trace) + " values: --n 10");
    std::vector<T> values = make_values<T>(kind, n, seed);
    const auto print = [&](const std::string& title, std::size_t first) {
        std::string line;
        for (std::size_t k = 0; k < n; ++k) {
            const std::string value = text_of(values[k]);
            const bool left = k >= first && (k - first) % 2 == 0 && k + 1 < n;
            const bool right = k > first && (k - first) % 2 == 1;
            line += left ? "(" + value + " " : right ? value + ")" : " " + value + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::printf("%s\n", wrapped(left(title, 9) + line, 9).c_str());
    };
    print("input", n);
    for (std::size_t p = 0; p < n; ++p) {
        phase(std::span(values), p % 2);
        print(std::to_string(p % 2) + "-based", p % 2);
    }
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::vector<std::string> data{"shuffled"}, types{"float"};
        bool tracing = false;
        const Options options = read_options(argc, argv, chapter, names_of(stages<float>), [&](CommandLine& line) {
            line.list("--data", data,
                      "What to sort: shuffled (0 to n - 1), random, sorted, reversed, equal, few (different), special",
                      {std::begin(kinds), std::end(kinds)});
            line.list("--type", types, "float, int", {"float", "int"});
            line.flag("--trace", tracing, "Show the array after every phase, for a small n, and end");
            line.excludes("--trace", {"--bench", "--stage", "--json"});
        });
        const auto for_each_input = [&](const auto& with_floats, const auto& with_ints) {
            for (const std::size_t n : options.sizes)
                for (const std::string& type : types)
                    for (const std::string& kind : data) type == "float" ? with_floats(kind, n) : with_ints(kind, n);
        };
        if (tracing) {
            for_each_input([&](auto& kind, std::size_t n) { trace<float>(kind, n, options.seed); },
                           [&](auto& kind, std::size_t n) { trace<int>(kind, n, options.seed); });
            return;
        }
        Report report(chapter, options);
        for_each_input([&](auto& kind, std::size_t n) { run<float>(kind, n, options, report); },
                       [&](auto& kind, std::size_t n) { run<int>(kind, n, options, report); });
        report.write();
    });
}
