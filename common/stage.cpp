#include "common/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "common/check.h"
#include "common/json.h"
#include "common/output.h"
#include "common/text.h"

namespace {

/// Three significant digits in the unit that suits: "3.05 µs", "1.06 ms", "12.3 s".
std::string duration(double seconds) {
    const auto [scale, unit] = seconds < 1e-3 ? std::pair(1e6, "µs")
                               : seconds < 1  ? std::pair(1e3, "ms")
                                              : std::pair(1.0, "s ");
    const double value = seconds * scale;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
    return text;
}

std::string giga(double per_second) {
    char text[32];
    const double value = per_second * 1e-9;
    std::snprintf(text, sizeof text, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
    return text;
}

/// A line of the table, at once: long work shows its progress row by row.
void print_row(std::string_view name, const std::array<std::string, 6>& cells) {
    constexpr std::size_t widths[] = {9, 12, 9, 10, 9, 7};
    std::string line = left(name, 24);
    for (std::size_t i = 0; i < cells.size(); ++i) line += right(cells[i], widths[i]);
    std::printf("%s\n", line.c_str());
    flush_output();
}

bool same_stage(std::string_view asked, std::string_view name) {
    if (asked.size() == 2 && asked[0] == '0') asked.remove_prefix(1);
    return name == asked || name.substr(0, name.find('_')) == asked ||
           (name.find('_') != name.npos && name.substr(name.find('_') + 1) == asked);
}

}  // namespace

std::string with_separators(std::size_t n) {
    std::string digits = std::to_string(n);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, 1, ',');
    return digits;
}

bool is_chosen(const Options& options, std::string_view stage) {
    return options.stage.empty() || same_stage(options.stage, stage);
}

namespace {

std::string list_of(const std::vector<StageName>& stages) {
    std::string list;
    for (const StageName& stage : stages) list += (list.empty() ? "" : ", ") + std::string(stage.name);
    return list;
}

std::string epilogue(const std::vector<StageName>& stages) {
    std::string text = "Stages:\n";
    for (const StageName& stage : stages) text += help_entry(stage.name, stage.idea);
    return text + "\n" + exit_codes;
}

}  // namespace

Options read_options(int argc, char** argv, const Chapter& chapter, const std::vector<StageName>& stages,
                     const std::function<void(CommandLine&)>& add_own) {
    Options options;
    const bool fewer = chapter.n_on_emulator > 0 && on_emulator();
    std::string n = std::to_string(fewer ? chapter.n_on_emulator : chapter.n), seed = "1",
                repeat = std::to_string(options.timing.repeats);
    const std::string default_n = std::to_string(chapter.n) + (fewer ? ", on the emulator " + n : "");
    bool bench = false;

    CommandLine line{std::string(chapter.name), std::string(chapter.about)};
    line.footer(epilogue(stages));
    line.option("--n", n,
                "How many " + std::string(chapter.unit) + ", e.g. 1000, 1e6 or 2^20 (default: " + default_n + ")");
    line.flag("--bench", bench, "Measure at the benchmark sizes");
    line.excludes("--bench", {"--n"});
    line.option("--stage", options.stage, "Run only this stage, by name or number");
    line.option("--seed", seed, "Seed of the random input");
    line.option("--repeat", repeat, "Samples for each time, of which the median counts (default: " + repeat + ")");
    line.flag("--cold", options.timing.cold_l2, "Empty the L2 cache before each sample");
    line.output_file("--json", options.json, "Write the results to this file");
    if (add_own) add_own(line);
    line.parse(argc, argv);

    options.sizes = bench ? chapter.bench_sizes : std::vector{parse_count("--n", n)};
    options.seed = seed == "0" ? 0 : parse_count("--seed", seed);
    options.timing.repeats = static_cast<int>(std::min<std::size_t>(parse_count("--repeat", repeat), 1'000'000));
    if (std::none_of(stages.begin(), stages.end(), [&](const StageName& s) { return is_chosen(options, s.name); }))
        throw usage_error("--stage " + options.stage + ": there is no such stage, only " + list_of(stages));
    return options;
}

struct Report::Row {
    std::string name, idea;
    double seconds = 0;
    std::optional<double> with_copies{}, gb_per_s{}, gflop_per_s{}, percent_of_copy{}, percent_of_peak{}, speedup{},
        error{};
};

struct Report::Run {
    std::string title;
    std::size_t n;
    Work work;
    std::optional<double> peak_flops;  // the 100 % where work counts operations
    double cpu_seconds = std::nan("");
    std::vector<Row> rows;
};

Report::Report(const Chapter& chapter, const Options& options) : chapter_(chapter), options_(options) {
    std::printf("%s\n", device_line().c_str());
    copy_bandwidth_ = ::copy_bandwidth();
    std::printf("A device-to-device copy moves %s GB/s here, read and written.\n", giga(copy_bandwidth_).c_str());
    if (const auto fp32 = peak_flops(Precision::fp32), fp64 = peak_flops(Precision::fp64); fp32 && fp64)
        std::printf("Its cores could do %s GFLOP/s of fp32 and %s of fp64,\na multiply-add each in every cycle.\n",
                    giga(*fp32).c_str(), giga(*fp64).c_str());
    if (on_emulator() && options.sizes.front() == chapter.n_on_emulator)
        std::printf("On a GPU it is n = %s. Here it is less, unless --n asks for more.\n",
                    with_separators(chapter.n).c_str());
}

Report::~Report() = default;

void Report::begin(const std::string& title, std::size_t n, Work work) {
    runs_.push_back(std::make_unique<Run>(Run{title, n, work, peak_flops(work.precision), std::nan(""), {}}));
    const char* cold = options_.timing.cold_l2 ? ", L2 cache emptied before each sample" : "";
    std::printf("\n%s\n\n", wrapped(visible(title) + cold).c_str());
    const bool flops = work.flops > 0;
    print_row("stage", {"time", "with copies", flops ? "GFLOP/s" : "GB/s", flops ? "% of peak" : "% of copy", "vs CPU",
                        "digits"});
}

// What the row reaches of what limits it.
void Report::rate(Row& row, const Run& run) const {
    if (run.work.flops > 0) {
        row.gflop_per_s = run.work.flops / row.seconds * 1e-9;
        if (run.peak_flops) row.percent_of_peak = 100 * run.work.flops / row.seconds / *run.peak_flops;
    } else {
        row.gb_per_s = run.work.bytes / row.seconds * 1e-9;
        row.percent_of_copy = 100 * run.work.bytes / row.seconds / copy_bandwidth_;
    }
}

void Report::print(const Row& row) const {
    const auto or_dash = [](const std::optional<double>& value, auto format) {
        return value ? format(*value) : std::string("–");
    };
    const auto fixed = [](int digits, const char* suffix) {
        return [=](double value) {
            char text[32];
            std::snprintf(text, sizeof text, "%.*f%s", value < 10 ? digits : 0, value, suffix);
            return std::string(text);
        };
    };
    const auto plain = [](double value) { return giga(value * 1e9); };
    const auto digits = [](double error) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f", std::max(0.0, -std::log10(error)));
        return error == 0 ? std::string("exact") : std::string(text);
    };
    print_row(row.name, {duration(row.seconds), or_dash(row.with_copies, duration),
                         or_dash(row.gflop_per_s ? row.gflop_per_s : row.gb_per_s, plain),
                         or_dash(row.gflop_per_s ? row.percent_of_peak : row.percent_of_copy, fixed(1, " %")),
                         or_dash(row.speedup, fixed(2, " ×")), or_dash(row.error, digits)});
}

void Report::cpu(std::string_view name, std::string_view idea, const std::function<void()>& run,
                 const std::function<double()>& verify) {
    Run& now = *runs_.back();
    Row row{.name = std::string(name), .idea = std::string(idea), .seconds = host_seconds(run, {.repeats = 3})};
    if (verify) row.error = verify();
    if (std::isnan(now.cpu_seconds)) now.cpu_seconds = row.seconds;
    rate(row, now);
    row.percent_of_copy = row.percent_of_peak = std::nullopt;
    row.speedup = now.cpu_seconds / row.seconds;
    now.rows.push_back(row);
    print(row);
}

namespace {

/// The error of a stage's output. Throws wrong_result, which says in which run it was wrong.
double verify(const Trial& trial, const char* run) {
    try {
        return trial.verify();
    } catch (const wrong_result& error) {
        throw wrong_result(std::string(error.what()) + ", in its " + run + " run");
    }
}

}  // namespace

double Report::gpu(std::string_view name, std::string_view idea, const Trial& trial) {
    Run& now = *runs_.back();
    Row row{.name = std::string(name), .idea = std::string(idea)};
    trial.poison();
    row.seconds = gpu_seconds(trial.run, options_.timing, [&] {
        verify(trial, "first");
        // Once more: what the first run left behind, a counter for example, spoils this one and no other stage's.
        trial.poison();
        trial.run();
        CUDA_CHECK(cudaDeviceSynchronize());
        row.error = verify(trial, "second");
    });
    row.with_copies = host_seconds(trial.with_copies, {.repeats = std::min(options_.timing.repeats, 5)});
    rate(row, now);
    if (std::isfinite(now.cpu_seconds)) row.speedup = now.cpu_seconds / row.seconds;
    now.rows.push_back(row);
    print(row);
    return row.seconds;
}

void Report::write() const {
    if (options_.json.empty()) return;

    std::ostringstream out;
    out << "{\"chapter\": " << json_string(chapter_.name) << ",\n \"device\": " << device_json() << ",\n"
        << " \"copy_gb_per_s\": " << json_number(copy_bandwidth_ * 1e-9) << ",\n \"runs\": [";
    for (const auto& run : runs_) {
        out << (run == runs_.front() ? "" : ",") << "\n  {\"title\": " << json_string(run->title)
            << ", \"n\": " << run->n << ", \"cold_l2\": " << (options_.timing.cold_l2 ? "true" : "false")
            << ", \"peak_gflop_per_s\": "
            << json_number(run->peak_flops ? std::optional(*run->peak_flops * 1e-9) : std::nullopt)
            << ", \"cpu_seconds\": " << json_number(run->cpu_seconds) << ", \"stages\": [";
        for (const Row& row : run->rows)
            out << (&row == run->rows.data() ? "" : ",") << "\n   {\"name\": " << json_string(row.name)
                << ", \"idea\": " << json_string(row.idea) << ", \"seconds\": " << json_number(row.seconds)
                << ", \"seconds_with_copies\": " << json_number(row.with_copies)
                << ", \"gb_per_s\": " << json_number(row.gb_per_s)
                << ", \"gflop_per_s\": " << json_number(row.gflop_per_s)
                << ", \"percent_of_copy\": " << json_number(row.percent_of_copy)
                << ", \"percent_of_peak\": " << json_number(row.percent_of_peak)
                << ", \"speedup\": " << json_number(row.speedup) << ", \"error\": " << json_number(row.error) << "}";
        out << "]}";
    }
    out << "]}\n";

    write_file(options_.json, out.str());
}
