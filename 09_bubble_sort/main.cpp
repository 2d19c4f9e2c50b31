// Makes values, sorts them with every stage and prints what each one costs; or shows the phases on a few values.

#include <algorithm>
#include <cstring>
#include <sstream>
#include <type_traits>

#include "bubble_sort.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "common/verify.h"
#include "harness/report.h"
#include "input.h"
#include "keys.h"
#include "trace.h"

namespace {

using bubble_sort::Key;
using bubble_sort::Stage;

const Chapter chapter{
    .name = "09_bubble_sort",
    .about = "Sorting: from neighbours that change places to merging, and to a sort that compares nothing.",
    .n = 1024,
    .unit = "values",
    .bench_sizes = {1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20,
                    1 << 21, 1 << 22, 1 << 23, 1 << 24}};

constexpr std::size_t emulator_is_slower = 256;  // times, for the choice of stages that run unasked

/// The chapter's own options.
struct Own {
    std::vector<std::string> data{"shuffled"}, types{"float"};
    bool trace = false;
};

template <class T>
std::string text_of(T value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

/// Values of a kind, and their keys in sorted order.
template <class T>
class Sorting : public Trial<Stage<T>> {
    using Trial<Stage<T>>::stage;

  public:
    Sorting(std::string_view kind, std::size_t n, std::uint64_t seed)
        : input_(bubble_sort::make_values<T>(kind, n, seed)), sorted_(n), d_in_(n), d_out_(n) {
        for (const T value : input_) expected_.push_back(bubble_sort::key_of(value));
        std::sort(expected_.begin(), expected_.end());
    }

    void on_host() override {
        sorted_ = input_;
        stage().on_host(sorted_);
    }

    void upload() override { d_in_.copy_from(input_); }

    void launch() override { stage().launch(d_in_.data(), d_out_.data(), input_.size()); }

    void download() override { d_out_.copy_to(sorted_); }

    void poison() override {
        std::memset(sorted_.data(), 0xff, sorted_.size() * sizeof(T));
        d_out_.poison();
    }

    /// Compares the keys. There is one right answer: different values have different keys, so only the sorted input has
    /// the expected keys.
    std::optional<double> verify() override {
        for (std::size_t i = 0; i < expected_.size(); ++i)
            if (bubble_sort::key_of(sorted_[i]) != expected_[i])
                throw wrong_result(std::string(stage().name) + " is wrong at index " + std::to_string(i) +
                                   ": expected " + text_of(bubble_sort::value_of<T>(expected_[i])) + ", got " +
                                   text_of(sorted_[i]));
        return 0;
    }

    std::string why_left_out() override {
        const std::size_t n = input_.size();
        const bool emulated = on_emulator() && stage().launch;
        const std::size_t patience = emulated ? stage().patience / emulator_is_slower : stage().patience;
        if (n > stage().most) return "sorts at most " + with_separators(stage().most);
        if (n > patience) return "slow beyond " + with_separators(patience) + ", --stage insists";
        return "";
    }

  private:
    std::vector<T> input_, sorted_;
    std::vector<Key> expected_;
    DeviceBuffer<T> d_in_, d_out_;
};

template <class T>
void run(std::size_t n, std::string_view kind, const Options& options, Report& report) {
    require_memory(6.0 * sizeof(T) * static_cast<double>(n), 4.0 * sizeof(T) * static_cast<double>(n));
    Sorting<T> trial(kind, n, options.seed);
    const std::string type = std::is_same_v<T, float> ? " floats" : " ints";
    report.begin(std::string(kind) + type + ", n = " + with_separators(n), n, {.bytes = bubble_sort::bytes_moved(n)});
    report.run(bubble_sort::stages<T>, trial);
}

void run(std::size_t n, const Own& own, const Options& options, Report& report) {
    for (const std::string& type : own.types)
        for (const std::string& kind : own.data)
            type == "float" ? run<float>(n, kind, options, report) : run<int>(n, kind, options, report);
}

void trace(std::size_t n, const Own& own, std::uint64_t seed) {
    using namespace bubble_sort;
    if (n > longest_trace)
        throw usage_error("--trace shows at most " + std::to_string(longest_trace) + " values: --n 10");
    for (const std::string& type : own.types)
        for (const std::string& kind : own.data)
            type == "float" ? print_phases(make_values<float>(kind, n, seed))
                            : print_phases(make_values<int>(kind, n, seed));
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        using bubble_sort::kinds;
        Own own;
        const Options options =
            read_options(argc, argv, chapter, names_of(bubble_sort::stages<float>), [&](CommandLine& line) {
                line.list(
                    "--data", own.data,
                    "What to sort: shuffled (0 to n - 1), random, sorted, reversed, equal, few (different), special",
                    {std::begin(kinds), std::end(kinds)});
                line.list("--type", own.types, "float, int", {"float", "int"});
                line.flag("--trace", own.trace, "Show the array after every phase, and do nothing else; for a small n");
                line.excludes("--trace", {"--bench", "--stage", "--json"});
            });
        if (own.trace) {
            for (const std::size_t n : options.sizes) trace(n, own, options.seed);
            return;
        }
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) run(n, own, options, report);
        report.write();
    });
}
