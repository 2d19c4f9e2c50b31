// Makes or reads bytes, runs every stage on them and prints what each one costs. With --blocks-per-sm it runs stage 3
// with several numbers of blocks instead.

#include <algorithm>
#include <cstdio>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "harness/report.h"
#include "histogram.h"
#include "input.h"

namespace {

using histogram::bins;
using histogram::Count;
using histogram::Stage;

const Chapter chapter{.name = "07_histogram",
                      .about = "How often each byte value occurs: many threads, few counters.",
                      .n = 100 << 20,
                      .unit = "bytes",
                      .bench_sizes = {1 << 14, 1 << 17, 1 << 20, 1 << 23, 100 << 20},
                      .n_on_emulator = 20 << 20};

/// The chapter's own options.
struct Own {
    std::vector<std::string> kinds{"random"}, blocks_per_sm;
    std::optional<std::string> file;
};

/// Bytes and how often each value occurs among them.
class Histogram : public Trial<Stage> {
  public:
    explicit Histogram(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)), d_bytes_(bytes_.size()) {
        histogram::cpu(bytes_, expected_);
    }

    void on_host() override { stage().on_host(bytes_, counts_); }

    void upload() override { d_bytes_.copy_from(bytes_); }

    void launch() override {
        if (stage().blocks_per_multiprocessor == 0)
            stage().launch(d_bytes_.data(), bytes_.size(), d_counts_.data());
        else
            histogram::shared_atomics(d_bytes_.data(), bytes_.size(), d_counts_.data(),
                                      stage().blocks_per_multiprocessor);
    }

    void download() override { d_counts_.copy_to(counts_); }

    void poison() override {
        std::fill(counts_.begin(), counts_.end(), ~Count{0});
        d_counts_.poison();
    }

    /// Compares bin by bin, and checks that no byte was lost.
    std::optional<double> verify() override {
        require_same<Count>(stage().name, counts_, expected_);
        if (total() != bytes_.size())
            throw wrong_result(std::string(stage().name) + " counted " + with_separators(total()) + " bytes of " +
                               with_separators(bytes_.size()));
        if (stage().on_host == histogram::cpu) return std::nullopt;  // what the others are compared with
        return 0;
    }

    /// Prints the sum of the counts, and the value that occurs most.
    void print_summary() const {
        std::printf("\nSum of the counts: %s", with_separators(total()).c_str());
        if (bytes_.empty()) {
            std::printf("\n");
            return;
        }
        const auto most = std::max_element(counts_.begin(), counts_.end());
        const auto value = static_cast<int>(most - counts_.begin());
        const std::string character =
            value > ' ' && value <= '~' ? " '" + std::string(1, static_cast<char>(value)) + "'" : "";
        std::printf(". Most frequent: %d%s, %s times\n", value, character.c_str(), with_separators(*most).c_str());
    }

  private:
    Count total() const { return std::accumulate(counts_.begin(), counts_.end(), Count{0}); }

    const std::vector<std::uint8_t> bytes_;
    DeviceBuffer<std::uint8_t> d_bytes_;
    DeviceBuffer<Count> d_counts_{bins};
    std::vector<Count> counts_ = std::vector<Count>(bins), expected_ = std::vector<Count>(bins);
};

/// Which number of blocks is best? Runs stage 3, then a variant of it for each number, and draws the curve.
void run_experiment(const std::vector<std::size_t>& blocks, Histogram& trial, Report& report) {
    const Stage& stage = *std::ranges::find(histogram::stages, std::string_view("3_shared_atomics"), &Stage::name);
    std::vector<Stage> stages{stage};
    std::deque<std::string> names;  // a deque: the stages refer to the names, which must not move
    for (const std::size_t b : blocks) {
        names.push_back(std::string(stage.name) + "/" + std::to_string(b) + (b == 1 ? "_block" : "_blocks"));
        stages.push_back({{names.back(), "for each multiprocessor", stage.launch}, b});
    }
    report.run(stages, trial);

    const auto seconds = [&](std::size_t i) { return *report.seconds(names[i]); };
    double longest = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) longest = std::max(longest, seconds(i));
    constexpr double width = 60;
    std::printf("\nblocks for each multiprocessor, and milliseconds\n\n");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        std::printf("%6zu  ", blocks[i]);
        for (int bar = 0; bar < width * seconds(i) / longest; ++bar) std::printf("█");
        std::printf(" %.3f\n", seconds(i) * 1e3);
    }
}

/// Runs all stages, or, if `blocks` is not empty, stage 3 with each of these numbers of blocks for each multiprocessor.
void run(const std::string& title, std::vector<std::uint8_t> bytes, const std::vector<std::size_t>& blocks,
         Report& report) {
    const std::size_t n = bytes.size();
    Histogram trial(std::move(bytes));
    const std::string experiment = blocks.empty() ? "" : ", 3_shared_atomics by blocks for each multiprocessor";
    report.begin(title + ", n = " + with_separators(n) + experiment, n, {.bytes = histogram::bytes_moved(n)});
    if (!blocks.empty()) return run_experiment(blocks, trial, report);
    report.run(histogram::stages, trial);
    trial.print_summary();
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const Options options = read_options(argc, argv, chapter, names_of(histogram::stages), [&](CommandLine& line) {
            line.list("--data", own.kinds, "What to count: random, one (repeated value), skewed, sorted",
                      {std::begin(histogram::kinds), std::end(histogram::kinds)});
            line.option("--file", own.file, "Count the bytes of this file instead");
            line.excludes("--file", {"--data", "--n", "--bench"});
            line.list("--blocks-per-sm", own.blocks_per_sm,
                      "Run 3_shared_atomics with these numbers of blocks for each multiprocessor, e.g. 1,2,4,8, and "
                      "draw the curve");
            line.excludes("--blocks-per-sm", {"--stage"});
        });
        std::vector<std::size_t> blocks;
        for (const std::string& text : own.blocks_per_sm) blocks.push_back(parse_count("--blocks-per-sm", text));
        std::vector<std::uint8_t> file;
        if (own.file) file = histogram::read_file(*own.file);

        Report report(chapter, options);
        if (own.file)
            run(*own.file, std::move(file), blocks, report);
        else
            for (const std::size_t n : options.sizes)
                for (const std::string& kind : own.kinds)
                    run(histogram::title_of(kind), histogram::make_bytes(kind, n, options.seed), blocks, report);
        report.write();
    });
}
