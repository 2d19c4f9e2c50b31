// What the counters have counted, for people and as JSON.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "../../reports/source_places.h"
#include "../../settings.h"
#include "../findings.h"
#include "counters.h"

namespace emulator {
namespace {

// "global load"
std::string name(Memory memory, Operation operation) {
    return memory == Memory::none ? name(operation) : std::string(name(memory)) + " " + name(operation);
}

}  // namespace

// In a function of the emulator: the line that called it.
SourcePlace Counters::program_place(const Site& site, SourcePlace place) const {
    for (std::uint32_t path = site.path; place.path.empty() && path != 0; path = paths_[path].outer)
        place = source_place(paths_[path].caller - 1);
    return place;
}

// What was done in each line of the program, in their order.
std::vector<Counters::Line> Counters::lines_of(const Kernel& kernel) const {
    std::vector<std::uint32_t> used;
    std::vector<std::uintptr_t> codes;
    for (std::uint32_t site = 0; site < kernel.sites.size(); ++site)
        if (kernel.sites[site].requests > 0) {
            used.push_back(site);
            codes.push_back(sites_[site].code - 1);
        }
    const std::vector<SourcePlace> places = source_places(codes);
    std::map<std::tuple<std::string, unsigned, Memory, Operation>, Counts> lines;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Site& site = sites_[used[i]];
        const SourcePlace place = program_place(site, places[i]);
        lines[{place.path, place.line, site.memory, site.operation}].add(kernel.sites[used[i]]);
    }
    std::vector<Line> result;
    for (const auto& [key, counts] : lines)
        result.push_back({std::get<0>(key), std::get<1>(key), std::get<3>(key), std::get<2>(key), counts});
    return result;
}

namespace {

std::string format(const char* how, double x) {
    char text[32];
    std::snprintf(text, sizeof text, how, x);
    return text;
}

double ratio(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

// "16.0 sectors each"
std::string in_words(Operation operation, Memory memory, const Counts& c) {
    std::string text;
    const std::string worst = ", at most " + std::to_string(c.worst);
    if (memory == Memory::global)
        text = format("%.1f sectors each", ratio(c.served, c.requests)) + worst;
    else if (memory == Memory::shared)
        text = format("%.1f-way", ratio(c.served, c.least)) + worst;
    else if (memory == Memory::constant)
        text = format("%.1f addresses each", ratio(c.served, c.requests)) + worst;
    if (operation == Operation::atomic)
        text += format("; %.1f lanes at one address", ratio(c.same, c.requests)) + ", at most " +
                std::to_string(c.worst_same);
    return text;
}

std::string in_json(Operation operation, Memory memory, const Counts& c) {
    std::string json = "{\"what\": " + json_string(name(memory, operation));
    const auto member = [&](const char* name, std::uint64_t n) {
        json += ", \"" + std::string(name) + "\": " + std::to_string(n);
    };
    member("requests", c.requests);
    member("lanes", c.lanes);
    if (memory != Memory::none) member("bytes", c.bytes);
    if (memory == Memory::global) member("sectors", c.served);
    if (memory == Memory::global) member("most_sectors", c.worst);
    if (memory == Memory::shared) member("wavefronts", c.served);
    if (memory == Memory::shared) member("least_wavefronts", c.least);
    if (memory == Memory::shared) member("worst_ways", c.worst);
    if (memory == Memory::constant) member("addresses", c.served);
    if (operation == Operation::atomic) member("same_address", c.same);
    if (operation == Operation::atomic) member("most_same_address", c.worst_same);
    return json + "}";
}

// "13 µs": two digits, rounded down
std::string at_least(double seconds) {
    double value = seconds;
    const char* unit = "s";
    for (const char* smaller : {"ms", "µs"})
        if (value < 0.1) value *= 1e3, unit = smaller;
    const double digit = std::pow(10, std::floor(std::log10(value)) - 1);
    const double rounded = std::floor(value / digit * (1 + 1e-12)) * digit;
    return format(rounded < 10 ? rounded < 1 ? "%.2f " : "%.1f " : "%.0f ", rounded) + unit;
}

std::string floors_in_json(const std::array<Floor, known_gpus.size()>& floors) {
    std::string json;
    for (std::size_t gpu = 0; gpu < floors.size(); ++gpu) {
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.6g", floors[gpu].seconds);
        json += (gpu == 0 ? "" : ", ") + ("{\"gpu\": " + json_string(std::string(known_gpus[gpu].name))) +
                ", \"seconds\": " + seconds + ", \"limit\": " + json_string(floors[gpu].limit) + "}";
    }
    return json;
}

std::string list_in_json(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_string(text);
    return list;
}

}  // namespace

// Of a launch. Where they differ, of the average one.
void Counters::tell_floor(const Kernel& kernel) {
    const std::size_t gpu = value_of<settings::gpu>();
    std::fprintf(stderr, "  global sectors   %llu read and %llu written, each counted once\n",
                 static_cast<unsigned long long>(kernel.read_sectors / kernel.launches),
                 static_cast<unsigned long long>(kernel.written_sectors / kernel.launches));
    std::fprintf(stderr, "  at least         %s on an %s: %s\n",
                 at_least(kernel.floors[gpu].seconds / static_cast<double>(kernel.launches)).c_str(),
                 std::string(known_gpus[gpu].name).c_str(), kernel.floors[gpu].limit);
}

void Counters::tell() const {
    if (const char* path = value_of<settings::count_json>()) write_json(path);
    const Counted how = value_of<settings::count>();
    if (how == Counted::nothing) return;
    std::fputs("emulator: counted\n", stderr);
    for (const auto& kernel : kernels_) {
        const std::string place = source_line(kernel->code - 1);
        std::fprintf(stderr, "%s%s%s\n  %s, %s, %s in all%s\n", kernel->name.c_str(),
                     place.empty() ? "" : (" at " + place).c_str(),
                     kernel->ranges.empty() ? "" : (" in " + kernel->ranges.back()).c_str(),
                     counted(kernel->launches, "launch", "es").c_str(), counted(kernel->blocks, "block").c_str(),
                     counted(kernel->threads, "thread").c_str(),
                     kernel->lost == 0 ? "" : "; not all counted: a launch failed, or did too much between barriers");
        const std::vector<Line> lines = lines_of(*kernel);
        std::map<std::pair<Memory, Operation>, Counts> sums;
        for (const Line& line : lines) sums[{line.memory, line.operation}].add(line.counts);
        const auto tell = [&](const std::string& what, Operation operation, Memory memory, const Counts& c) {
            const std::string count =
                operation == Operation::barrier
                    ? format("%.1f per block", ratio(c.requests, kernel->blocks))
                    : counted(c.requests, "request") + format(" of %.1f lanes", ratio(c.lanes, c.requests));
            const std::string words = in_words(operation, memory, c);
            std::fprintf(stderr, "  %-16s %s%s%s\n", what.c_str(), count.c_str(), words.empty() ? "" : ", ",
                         words.c_str());
        };
        for (const auto& [key, counts] : sums) tell(name(key.first, key.second), key.second, key.first, counts);
        if (kernel->lost == 0) tell_floor(*kernel);
        if (how != Counted::lines) continue;
        std::string last;
        for (const Line& line : lines) {
            const SourcePlace at{line.path, line.number};
            if (at.name() != std::exchange(last, at.name()))
                std::fprintf(stderr, "    %s  %s\n", at.name().c_str(), text_of(at).c_str());
            tell("    " + name(line.memory, line.operation), line.operation, line.memory, line.counts);
        }
    }
}

void Counters::write_json(const char* path) const {
    std::string json = "{\"kernels\": [";
    for (const auto& kernel : kernels_) {
        const SourcePlace place = source_place(kernel->code - 1);
        json +=
            std::string(kernel == kernels_.front() ? "\n" : ",\n") + " {\"kernel\": " + json_string(kernel->name) +
            ", \"file\": " + json_string(place.path) + ", \"line\": " + std::to_string(place.line) + ", \"ranges\": [" +
            list_in_json(kernel->ranges) + "], \"launches\": " + std::to_string(kernel->launches) +
            ", \"not_counted\": " + std::to_string(kernel->lost) + ", \"blocks\": " + std::to_string(kernel->blocks) +
            ", \"threads\": " + std::to_string(kernel->threads) +
            ", \"read_sectors\": " + std::to_string(kernel->read_sectors) +
            ", \"written_sectors\": " + std::to_string(kernel->written_sectors) + ", \"floors\": [" +
            floors_in_json(kernel->floors) + "],\n  \"counts\": [";
        const std::vector<Line> lines = lines_of(*kernel);
        std::map<std::pair<Memory, Operation>, Counts> sums;
        for (const Line& line : lines) sums[{line.memory, line.operation}].add(line.counts);
        std::string separator = "\n   ";
        for (const auto& [key, counts] : sums) {
            json += separator + in_json(key.second, key.first, counts);
            separator = ",\n   ";
        }
        const auto most = [&](const char* member, const Requests& of) {
            json += std::string(",\n  \"") + member + "\": {";
            separator = "";
            for (const auto& [key, counts] : sums) {
                const std::uint64_t n = of[static_cast<std::size_t>(key.first)][static_cast<std::size_t>(key.second)];
                if (n == 0) continue;  // of barriers
                json += separator + json_string(name(key.first, key.second)) + ": " + std::to_string(n);
                separator = ", ";
            }
            json += "}";
        };
        json += "]";
        most("most_of_a_warp", kernel->most_of_a_warp);
        most("most_of_a_block", kernel->most_of_a_block);
        const Steps& steps = kernel->steps;
        if (steps.all > 0)
            json += ",\n  \"steps\": {\"all\": " + std::to_string(steps.all) +
                    ", \"of_lane\": " + std::to_string(steps.of_lane) +
                    ", \"of_thread\": " + std::to_string(steps.of_thread) +
                    ", \"of_warp\": " + std::to_string(steps.of_warp) +
                    ", \"of_block\": " + std::to_string(steps.of_block) + "}";
        json += ",\n  \"lines\": [";
        separator = "\n   ";
        for (const Line& line : lines) {
            json += separator + "{\"file\": " + json_string(line.path) + ", \"line\": " + std::to_string(line.number) +
                    ", \"text\": " + json_string(text_of({line.path, line.number})) +
                    ", \"counts\": " + in_json(line.operation, line.memory, line.counts) + "}";
            separator = ",\n   ";
        }
        json += "]}";
    }
    json += "\n]}\n";
    FILE* file = std::fopen(path, "w");
    if (file == nullptr || std::fwrite(json.data(), 1, json.size(), file) != json.size())
        std::fprintf(stderr, "emulator: EMULATOR_COUNT_JSON: cannot write to %s\n", path);
    if (file != nullptr) std::fclose(file);
}

}  // namespace emulator
