#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "common/program.h"
#include "common/timer.h"

/// One way to do a chapter's work. name: the source file's number and name; idea: what it adds, in a line.
template <class Launch>
struct Stage {
    std::string_view name;
    std::string_view idea;
    Launch* run;
};

/// What a chapter's program was asked for on its command line.
struct Options {
    std::vector<std::size_t> sizes;  ///< values of n to run, one after another
    std::string stage;               ///< run only this one; empty: all
    std::uint64_t seed = 1;          ///< of random input
    Timing timing;
    std::string json;  ///< file to write the results to; empty: none
};

/// What a chapter is, for its --help and its results.
struct Chapter {
    std::string_view name;                 ///< like its folder
    std::string_view about;                ///< one line
    std::size_t n;                         ///< the size to run without --n
    std::string_view unit;                 ///< what n counts
    std::vector<std::size_t> bench_sizes;  ///< what --bench measures
    std::size_t n_on_emulator = 0;         ///< stands in for n there, where that takes too long; 0: n itself
};

/// Name and idea of a stage, whatever its signature.
struct StageName {
    std::string_view name;
    std::string_view idea;
};

template <class Stages>
std::vector<StageName> names_of(const Stages& stages) {
    std::vector<StageName> names;
    for (const auto& stage : stages) names.push_back({stage.name, stage.idea});
    return names;
}

/// What --help says of how a program ends.
inline constexpr const char* exit_codes =
    "Exit code: 0 all verified, 1 a result was wrong or the output could not be written, 2 bad arguments, 3 a CUDA "
    "error.";

/// Reads the options that every chapter's program has; `add_own` may add the chapter's. --help prints and exits. Throws
/// usage_error for anything that makes no sense, an unknown stage included.
Options read_options(int argc, char** argv, const Chapter& chapter, const std::vector<StageName>& stages,
                     const std::function<void(CommandLine&)>& add_own = {});

/// The least that any stage must do, whatever its method: bytes, or operations where arithmetic is the limit. Of these
/// two, the table shows what is given and how much of the device's best it is.
struct Work {
    double bytes = 0;                       ///< moved to or from device memory
    double flops = 0;                       ///< floating-point operations
    Precision precision = Precision::fp32;  ///< of the operations
};

/// How a stage is run, checked and timed.
struct Trial {
    std::function<void()> poison;       ///< spoil the output
    std::function<void()> run;          ///< queue the GPU work; the output is valid after a synchronisation
    std::function<void()> with_copies;  ///< inputs to the device, the work, the output to the host
    std::function<double()> verify;     ///< 0 for exact, else the relative error; throws wrong_result
};

/// A chapter's results: prints a row as soon as a stage is done, and writes them all as JSON at the end.
class Report {
  public:
    /// Prints the device's line and measures the copy bandwidth, the 100 % of the tables that count bytes. Says so
    /// where n_on_emulator is at work.
    Report(const Chapter& chapter, const Options& options);
    ~Report();

    /// Begins the table for one input.
    void begin(const std::string& title, std::size_t n, Work work);

    /// What the host does, the reference among it. The first one of an input is the 1 × of every speed-up. `verify`, if
    /// there is one, is asked after `run` and answers as a trial's does.
    void cpu(std::string_view name, std::string_view idea, const std::function<void()>& run,
             const std::function<double()>& verify = {});

    /// Poisons, runs a stage and verifies what it made, twice in a row, and only then times it. Returns the seconds of
    /// the GPU work. Throws wrong_result, which also says which of the two runs was wrong.
    double gpu(std::string_view name, std::string_view idea, const Trial& trial);

    /// Writes --json FILE if it was asked for. Throws output_error if the file cannot be written.
    void write() const;

  private:
    struct Row;
    struct Run;

    void rate(Row& row, const Run& run) const;
    void print(const Row& row) const;

    const Chapter chapter_;
    const Options options_;
    double copy_bandwidth_ = 0;  // bytes per second
    std::vector<std::unique_ptr<Run>> runs_;
};

/// 1048576 as "1,048,576".
std::string with_separators(std::size_t n);

/// Whether --stage asks for it. "3", "03" and the beginning of a name will do.
bool is_chosen(const Options& options, std::string_view stage);
