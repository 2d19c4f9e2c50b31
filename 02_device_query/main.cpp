// Prints what every device has, could do at best, and does when measured, and writes it as JSON.

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "harness/command_line.h"
#include "harness/json.h"
#include "harness/output.h"
#include "harness/program.h"
#include "harness/text.h"
#include "query.h"
#include "text.h"

namespace {

using namespace device_query;
using Json = nlohmann::ordered_json;

struct Arguments {
    std::string json_file;
    bool measure = true;
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    CommandLine line("device_query",
                     "Names every CUDA device and says what it has, what it could do at best, and what it does.");
    line.output_file("--json", arguments.json_file, "Also write everything to this file");
    bool no_measure = false;
    line.flag("--no-measure", no_measure, "Only ask the device and compute: no copies, no kernel");
    line.parse(argc, argv);
    arguments.measure = !no_measure;
    return arguments;
}

int device_count() {
    int count = 0;
    cuda_check(cudaGetDeviceCount(&count), "no device to describe: cudaGetDeviceCount", __FILE__, __LINE__);
    return count;
}

constexpr std::size_t value_column = 36;

void print(const Section& section, int device) {
    std::printf("\n%s, device %d\n", section.title.c_str(), device);
    for (const Line& line : section.lines)
        if (!line.label.empty())
            std::printf("%s\n", wrapped("  " + left(line.label, value_column - 2) + line.text, value_column).c_str());
}

void print_ridge(const Ceilings& ceilings, const char* which) {
    if (!ceilings.flops || !ceilings.bandwidth) return;
    std::printf("\nA kernel must do %s operations per byte before arithmetic is the limit\n(%s). ",
                rounded(ridge(*ceilings.flops, *ceilings.bandwidth)).c_str(), which);
    std::printf("c[i] = a[i] + b[i] does 1 operation for 12 bytes, %s per byte:\nthere the memory is the limit.\n",
                rounded(1 / 12.0).c_str());
}

struct ToJson {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(const auto& value) const { return value; }
};

// Prints everything about one device and returns it as JSON.
Json report(int device, bool with_measurements) {
    CUDA_CHECK(cudaSetDevice(device));
    std::printf("%s%s\n", device == 0 ? "" : "\n", device_line().c_str());
    if (on_emulator())
        std::printf(
            "What follows describes an emulated device: limits of compute capability 9.0,\n"
            "the rest is this CPU.\n");

    std::vector<Section> sections = properties(device);
    const Hardware chip = hardware(device);
    const Ceilings peak = peaks(chip);
    sections.push_back(explain(chip));
    for (const Section& section : sections) print(section, device);
    flush_output();  // Measuring takes a moment.

    Ceilings reached = peak;
    if (with_measurements) {
        sections.push_back(measure(peak, &reached));
        for (const auto& more : {latencies(), ceilings()})
            sections.back().lines.insert(sections.back().lines.end(), more.begin(), more.end());
        print(sections.back(), device);
    }
    if (!on_emulator()) print_ridge(reached, with_measurements ? "measured" : "worked out");

    Json json = {{"device", device_json()}};
    for (const Section& section : sections)
        for (const Line& line : section.lines) json[section.key][line.key] = std::visit(ToJson(), line.value);
    if (!with_measurements) json["measured"] = nullptr;
    return json;
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const Arguments arguments = parse(argc, argv);
        const int count = device_count();
        Json json = {{"chapter", "02_device_query"}};
        json.update(report(0, arguments.measure));
        json["other_devices"] = Json::array();
        for (int device = 1; device < count; ++device)
            json["other_devices"].push_back(report(device, arguments.measure));

        if (!arguments.json_file.empty()) write_json(arguments.json_file, json);
    });
}
