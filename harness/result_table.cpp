#include "harness/result_table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "harness/output.h"
#include "harness/text.h"

namespace {

constexpr std::size_t name_width = 24;

struct Cell {
    std::string text;
    std::size_t width;
};

/// Prints a line of the table and flushes it, so that long work shows its progress. `dim`: a last cell, pale if the
/// terminal can do that.
void print_line(std::string_view name, const std::vector<Cell>& cells, const Cell& dim = {"", 0}) {
    static const bool can_dim = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
    std::string line = left(name, name_width);
    for (const Cell& cell : cells) line += right(cell.text, cell.width);
    const std::string last = right(dim.text, dim.width);
    std::printf(can_dim && dim.width > 0 ? "%s\x1b[2m%s\x1b[0m\n" : "%s%s\n", line.c_str(), last.c_str());
    flush_output();
}

std::string printed(const char* format, double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, format, digits, value);
    return text;
}

/// The time in a suitable unit: "3.05 µs", "1.06 ms", "12.3 s".
std::string duration(double seconds) {
    if (seconds < 1e-3) return three_digits(seconds * 1e6) + " µs";
    if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
    return three_digits(seconds) + " s ";
}

/// The count as "4,096", and from 100,000 on as "131 k" or "2.10 M".
std::string short_count(double count) {
    if (count < 1e5) return with_separators(static_cast<std::size_t>(std::llround(count)));
    if (count < 1e6) return three_digits(count * 1e-3) + " k";
    return count < 1e9 ? three_digits(count * 1e-6) + " M" : three_digits(count * 1e-9) + " G";
}

std::string correct_digits(double error) {
    return error == 0 ? "exact" : printed("%.*f", std::max(0.0, -std::log10(error)), 1);
}

template <class Format>
std::string or_dash(const std::optional<double>& value, const Format& format) {
    return value ? format(*value) : "–";
}

constexpr std::size_t digits_width = 6, gpu_width = 8, here_width = 8;

/// The counts that fit into a line. Each is as wide as its name and a blank.
std::vector<std::string> counts_shown(const Recorded::Counts* counts) {
    if (!counts) return {};
    std::size_t room = line_width - name_width - digits_width - gpu_width - here_width;
    std::vector<std::string> shown;
    for (const std::string& what : counts->what) {
        if (what.size() + 1 > room) continue;
        shown.push_back(what);
        room -= what.size() + 1;
    }
    return shown;
}

/// What is counted, in words.
std::string meaning_of(const std::string& what) {
    if (what == "sectors") return "sectors of 32 bytes of global memory";
    if (what == "conflicts") return "bank conflicts in shared memory";
    if (what == "atomics") return "atomic operations";
    if (what == "barriers") return "barriers of warps";
    if (what == "requests") return "requests of warps to global memory";
    return what;
}

std::string list_of(const std::vector<std::string>& counts) {
    std::string list;
    for (const std::string& what : counts) list += (list.empty() ? "" : ", ") + meaning_of(what);
    return list;
}

/// The name in the table. A variant's name is indented below its stage's name, which is printed first if it has no row.
std::string shown_name(std::string_view stage, std::string& last_stage) {
    const std::string_view variant = variant_of(stage), file = file_of(stage);
    if (!variant.empty() && file != last_stage) std::printf("%s\n", std::string(file).c_str());
    last_stage = file;
    if (variant.empty()) return std::string(stage);
    std::string name = "  · " + std::string(variant);
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

/// The headings of what is done per second, and of its share of the device's limit: empty for items, which have none.
std::pair<std::string, std::string> names_of_rates(const Work& work) {
    if (!work.items_are.empty()) return {"M " + std::string(work.items_are) + "/s", ""};
    if (work.flops > 0) return {"GFLOP/s", "% of peak"};
    return {"GB/s", "% of copy"};
}

std::size_t width_of_rate(const Work& work) {
    return std::max<std::size_t>(9, names_of_rates(work).first.size() + 1);
}

}  // namespace

void ResultTable::print_heading(const Timing& timing) const {
    const char* cold = timing.cold_l2 ? ", L2 cache emptied before each sample" : "";
    std::printf("\n%s\n", wrapped(visible(title) + cold).c_str());
    if (!recorded) {
        const auto [rate, share] = names_of_rates(work);
        std::printf("\n");
        print_line("stage", {{"time", 9},
                             {"with copies", 12},
                             {rate, width_of_rate(work)},
                             {share, share.empty() ? 0 : std::size_t{10}},
                             {"vs CPU", 9},
                             {"digits", 7}});
        return;
    }
    const Recorded::Counts* counts = recorded->counts(title);
    if (counts)
        std::printf("%s\n",
                    wrapped("Counted in one launch of " + counts->command + ": " + list_of(counts_shown(counts)) + ".")
                        .c_str());
    const auto measured = recorded->nearest_title(title, n);
    if (measured)
        std::printf("%s\n", wrapped("Measured on an " + recorded->gpu_in_full() +
                                    (*measured == title ? "" : ": " + *measured) + ".")
                                .c_str());
    std::vector<Cell> cells{{"digits", digits_width}};
    for (const std::string& what : counts_shown(counts)) cells.push_back({what, what.size() + 1});
    cells.push_back({measured ? recorded->gpu() : "", gpu_width});
    std::printf("\n");
    print_line("stage", cells, {"here", here_width});
}

void ResultTable::print_left_out(std::string_view stage, const std::string& why) {
    std::printf("%s\n",
                wrapped(left(shown_name(stage, last_stage), name_width) + "left out: " + why, name_width).c_str());
}

void ResultTable::add(ResultRow row, bool is_on_host) {
    if (is_on_host && std::isnan(cpu_seconds)) cpu_seconds = row.seconds;
    if (std::isfinite(cpu_seconds)) row.speedup = cpu_seconds / row.seconds;
    if (!work.items_are.empty()) {
        row.mega_items_per_s = work.items / row.seconds * 1e-6;
    } else if (work.flops > 0) {
        row.gflop_per_s = work.flops / row.seconds * 1e-9;
        if (peak_flops && !is_on_host) row.percent_of_peak = 100 * work.flops / row.seconds / *peak_flops;
    } else {
        row.gb_per_s = work.bytes / row.seconds * 1e-9;
        if (!is_on_host) row.percent_of_copy = 100 * work.bytes / row.seconds / copy_bandwidth;
    }
    rows.push_back(row);

    const std::string digits = or_dash(row.error, correct_digits), name = shown_name(row.name, last_stage);
    if (recorded) {
        std::vector<Cell> cells{{digits, digits_width}};
        const Recorded::Counts* counts = recorded->counts(title);
        for (const std::string& what : counts_shown(counts))
            cells.push_back({or_dash(counts->of(row.name, what), short_count), what.size() + 1});
        const auto seconds = is_on_host ? std::nullopt : recorded->seconds(title, n, row.name);
        cells.push_back({recorded->gpu().empty() ? "" : or_dash(seconds, duration), gpu_width});
        print_line(name, cells, {duration(row.seconds), here_width});
        return;
    }
    const auto rate = [](double value) { return three_digits(value); };
    const auto percent = [](double value) { return printed("%.*f", value, value < 10 ? 1 : 0) + " %"; };
    const auto times = [](double value) { return printed("%.*f", value, value < 10 ? 2 : 0) + " ×"; };
    const bool items = !work.items_are.empty(), flops = work.flops > 0;
    const std::optional<double>& per_second = items ? row.mega_items_per_s : flops ? row.gflop_per_s : row.gb_per_s;
    const std::optional<double>& share = flops ? row.percent_of_peak : row.percent_of_copy;
    print_line(name, {{duration(row.seconds), 9},
                      {or_dash(row.with_copies, duration), 12},
                      {or_dash(per_second, rate), width_of_rate(work)},
                      {items ? "" : or_dash(share, percent), items ? std::size_t{0} : 10},
                      {or_dash(row.speedup, times), 9},
                      {digits, 7}});
}
