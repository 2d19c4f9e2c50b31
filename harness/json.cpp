#include "harness/json.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "common/check.h"
#include "harness/output.h"
#include "harness/program.h"
#include "harness/report.h"
#include "harness/result_table.h"
#include "harness/table.h"

namespace {

using Json = nlohmann::ordered_json;

std::string version(int v) {
    return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10);
}

std::string compiler_name() {
#ifdef __clang__
    const std::string host = "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
    const std::string host = "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
#ifdef CUDA_COMPILER
    return CUDA_COMPILER ", " + host;
#else
    return host;
#endif
}

/// The host's processor as Linux calls it, and how many threads it runs at a time.
std::string cpu_text() {
    std::string name = "unnamed";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name") && line.find(": ") != line.npos) {
            name = line.substr(line.find(": ") + 2);
            break;
        }
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    return name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

/// null if there is no value. The library writes NaN and infinities as null, too.
Json number(std::optional<double> value, double unit = 1) {
    return value ? Json(*value / unit) : Json();
}

Json to_json(const ResultRow& row) {
    return {{"name", row.name},
            {"idea", row.idea},
            {"seconds", row.seconds},
            {"seconds_with_copies", number(row.with_copies)},
            {"gb_per_s", number(row.gb_per_s)},
            {"gflop_per_s", number(row.gflop_per_s)},
            {"percent_of_copy", number(row.percent_of_copy)},
            {"percent_of_peak", number(row.percent_of_peak)},
            {"mega_items_per_s", number(row.mega_items_per_s)},
            {"speedup", number(row.speedup)},
            {"error", number(row.error)}};
}

}  // namespace

Json device_json() {
    cudaDeviceProp p;
    int device = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    return {{"name", p.name},
            {"backend", on_emulator() ? "emulator" : "cuda"},
            {"compute_capability", std::to_string(p.major) + "." + std::to_string(p.minor)},
            {"cuda_driver", version(driver)},
            {"cuda_runtime", version(runtime)},
            {"compiler", compiler_name()},
            {"cpu", cpu_text()}};
}

void write_json(const std::string& path, const Json& value) {
    // Bytes that are not UTF-8, in an argument for example, become replacement characters.
    write_file(path, value.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Report::write() const {
    if (options_.json.empty()) return;

    Json runs = Json::array();
    for (const auto& table : tables_) {
        Json stages = Json::array();
        for (const ResultRow& row : table->rows) stages.push_back(to_json(row));
        runs.push_back({{"title", table->title},
                        {"n", table->n},
                        {"cold_l2", options_.timing.cold_l2},
                        {"peak_gflop_per_s", number(table->peak_flops, 1e9)},
                        {"items_are", table->work.items_are},
                        {"cpu_seconds", number(table->cpu_seconds)},
                        {"stages", stages}});
    }
    write_json(options_.json, {{"chapter", chapter_.name},
                               {"device", device_json()},
                               {"copy_gb_per_s", copy_bandwidth_ / 1e9},
                               {"runs", runs}});
}

Json Table::to_json() const {
    Json header = Json::array({rows_are_});
    for (const std::string& column : columns_) header.push_back(column);
    Json rows = Json::array();
    for (const Row& row : rows_) {
        Json cells = Json::array({row.name});
        for (const double value : row.numbers) cells.push_back(value);
        rows.push_back(cells);
    }
    const Json table = {{"title", title_}, {"curve", curve_}, {"header", header}, {"rows", rows}};
    return {{"chapter", chapter_}, {"device", device_json()}, {"tables", Json::array({table})}};
}

void Table::write(const std::string& path) const {
    if (!path.empty()) write_json(path, to_json());
}
