#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recorded.h"
#include "harness/report.h"

/// A stage's results.
struct ResultRow {
    std::string name, idea;
    double seconds = 0;
    std::optional<double> with_copies{}, gb_per_s{}, gflop_per_s{}, percent_of_copy{}, percent_of_peak{},
        mega_items_per_s{}, speedup{}, error{};
};

/// The results for one input, and how they are printed: on a GPU the speeds reached there, and on the emulator what
/// also holds on a GPU, such as counts.
struct ResultTable {
    std::string title;
    std::size_t n;
    Work work;
    std::optional<double> peak_flops;  ///< 100 % if the work is operations
    double copy_bandwidth;             ///< 100 % if the work is bytes
    const Recorded* recorded;          ///< set on the emulator; null on a GPU
    double cpu_seconds = std::nan("");
    std::vector<ResultRow> rows{};
    std::string last_stage{};  ///< the stage printed last; its variants are indented below it

    void print_heading(const Timing& timing) const;
    void print_left_out(std::string_view stage, const std::string& why);

    /// Adds the row, computes its rates and its shares of the device's limits, and prints it.
    void add(ResultRow row, bool is_on_host);
};
