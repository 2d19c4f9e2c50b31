#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/stage.h"
#include "common/timer.h"
#include "harness/command_line.h"

/// What a chapter is, for its --help and its results.
struct Chapter {
    std::string_view name;                 ///< like its folder
    std::string_view about;                ///< one line
    std::size_t n;                         ///< the size to run without --n
    std::string_view unit;                 ///< what n counts
    std::vector<std::size_t> bench_sizes;  ///< what --bench measures
    std::size_t n_on_emulator = 0;         ///< the size on the emulator, if n takes too long there; 0: n itself
};

/// A chapter's command line, after it was read.
struct Options {
    std::vector<std::size_t> sizes;  ///< values of n to run, one after another
    std::string stage;               ///< run only the tables that have this stage; empty: all
    std::string row;                 ///< and in them this stage alone; empty: all
    std::uint64_t seed = 1;          ///< of random input
    Timing timing;
    std::string json;  ///< file to write the results to; empty: none
};

/// The exit codes, as --help lists them.
inline constexpr const char* exit_codes =
    "Exit code: 0 all verified, 1 a result was wrong or the output could not be written, 2 bad arguments, 3 a CUDA "
    "error.";

/// Reads the options that every chapter's program has; `add_own` may add the chapter's own. --help prints and exits.
/// Throws usage_error for any value that makes no sense, an unknown stage included.
Options read_options(int argc, char** argv, const Chapter& chapter, const std::vector<StageName>& stages,
                     const std::function<void(CommandLine&)>& add_own = {});
