// Makes or reads bytes, runs every stage on them and prints what each one costs; or repeats the notes' experiment with
// the number of blocks.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <thread>

#include "common/device_buffer.h"
#include "common/verify.h"
#include "histogram.h"
#include "input.h"

namespace {

using histogram::bins;
using histogram::Count;

const Chapter chapter{.name = "07_histogram",
                      .about = "How often each byte value occurs: many threads, few counters.",
                      .n = 100 << 20,
                      .unit = "bytes",
                      .bench_sizes = {100 << 20},
                      .n_on_emulator = 20 << 20};

/// An input on both sides, and its right answer.
class Problem {
  public:
    explicit Problem(const std::vector<std::uint8_t>& bytes)
        : bytes_(bytes), d_bytes_(DeviceBuffer<std::uint8_t>::from_host(bytes)) {
        histogram::cpu(bytes_, expected_);
    }

    void run_on_cpu(Report& report) {
        const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
        report.cpu("1_cpu", "one thread on the host", [&] { histogram::cpu(bytes_, expected_); });
        report.cpu("1_cpu_threads", std::to_string(threads) + " threads, a table each",
                   [&] { histogram::cpu_threads(bytes_, counts_, threads); });
        verify("1_cpu_threads");
    }

    /// launch(data, n, counts) queues the work. Returns its seconds.
    template <class Launch>
    double run(Report& report, std::string_view name, std::string_view idea, const Launch& launch) {
        const auto on_device = [&] { launch(d_bytes_.data(), bytes_.size(), d_counts_.data()); };
        return report.gpu(name, idea,
                          {.poison = [&] { d_counts_.poison(); },
                           .run = on_device,
                           .with_copies =
                               [&] {
                                   d_bytes_.copy_from(bytes_);
                                   on_device();
                                   d_counts_.copy_to(counts_);
                               },
                           .verify =
                               [&] {
                                   d_counts_.copy_to(counts_);
                                   verify(name);
                                   return 0.0;
                               }});
    }

    /// The sum of the counts, as the notes print it, and the value that occurs most.
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

    /// Bin by bin, and that no byte was lost.
    void verify(std::string_view stage) const {
        require_same<Count>(stage, counts_, expected_);
        if (total() != bytes_.size())
            throw wrong_result(std::string(stage) + " counted " + with_separators(total()) + " bytes of " +
                               with_separators(bytes_.size()));
    }

    std::span<const std::uint8_t> bytes_;
    DeviceBuffer<std::uint8_t> d_bytes_;
    DeviceBuffer<Count> d_counts_{bins};
    std::vector<Count> counts_ = std::vector<Count>(bins), expected_ = std::vector<Count>(bins);
};

void run_stages(Problem& problem, const Options& options, Report& report) {
    problem.run_on_cpu(report);
    for (const auto& stage : histogram::stages)
        if (is_chosen(options, stage.name)) problem.run(report, stage.name, stage.idea, stage.run);
    problem.print_summary();
}

/// The notes' experiment: which number of blocks is best? Prints the table, then the curve.
void run_experiment(Problem& problem, const std::vector<std::size_t>& blocks, Report& report) {
    std::vector<double> seconds;
    for (const std::size_t b : blocks)
        seconds.push_back(problem.run(report, std::to_string(b) + (b == 1 ? " block" : " blocks"),
                                      "for each multiprocessor",
                                      [b](auto... arguments) { histogram::shared_atomics(arguments..., b); }));

    constexpr double width = 60;
    const double longest = *std::max_element(seconds.begin(), seconds.end());
    std::printf("\nblocks for each multiprocessor, and milliseconds\n\n");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        std::printf("%6zu  ", blocks[i]);
        for (int bar = 0; bar < width * seconds[i] / longest; ++bar) std::printf("█");
        std::printf(" %.3f\n", seconds[i] * 1e3);
    }
}

void run(const std::string& title, const std::vector<std::uint8_t>& bytes, const std::vector<std::size_t>& blocks,
         const Options& options, Report& report) {
    const std::size_t n = bytes.size();
    Problem problem(bytes);
    const std::string experiment = blocks.empty() ? "" : ", 3_shared_atomics by blocks for each multiprocessor";
    report.begin(title + ", n = " + with_separators(n) + experiment, n, {.bytes = histogram::bytes_moved(n)});
    if (blocks.empty())
        run_stages(problem, options, report);
    else
        run_experiment(problem, blocks, report);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::vector<std::string> kinds{"random"}, blocks_per_sm;
        std::optional<std::string> file;
        const Options options = read_options(argc, argv, chapter, names_of(histogram::stages), [&](CommandLine& line) {
            line.list("--data", kinds, "What to count: random, one (repeated value), skewed, sorted",
                      {std::begin(histogram::kinds), std::end(histogram::kinds)});
            line.option("--file", file, "Count the bytes of this file instead");
            line.excludes("--file", {"--data", "--n", "--bench"});
            line.list("--blocks-per-sm", blocks_per_sm,
                      "Run 3_shared_atomics with these numbers of blocks for each multiprocessor, e.g. 1,2,4,8, and "
                      "draw the curve");
            line.excludes("--blocks-per-sm", {"--stage"});
        });
        std::vector<std::size_t> blocks;
        for (const std::string& text : blocks_per_sm) blocks.push_back(parse_count("--blocks-per-sm", text));

        const std::vector<std::uint8_t> bytes = file ? histogram::read_file(*file) : std::vector<std::uint8_t>();
        Report report(chapter, options);
        if (file) {
            run(*file, bytes, blocks, options, report);
        } else {
            for (const std::size_t n : options.sizes)
                for (const std::string& kind : kinds) {
                    require_memory(static_cast<double>(n), 2.0 * static_cast<double>(n));
                    run(histogram::title_of(kind), histogram::make_bytes(kind, n, options.seed), blocks, options,
                        report);
                }
        }
        report.write();
    });
}
