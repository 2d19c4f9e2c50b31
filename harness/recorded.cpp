#include "harness/recorded.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

namespace {

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
    return fields;
}

/// The title without its numbers: "n = 33,792 pairs" and "n = 1,000 pairs" are of one kind.
std::string kind_of(std::string_view title) {
    std::string kind;
    for (const char c : title)
        if (std::string_view("0123456789,").find(c) == std::string_view::npos) kind += c;
    return kind;
}

}  // namespace

// The fields of a line are separated by tabs. The first field names the kind of line.
Recorded::Recorded(const std::string& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields[0] == "gpu") {
            gpu_ = fields.at(1);
            gpu_in_full_ = fields.at(2);
        } else if (fields[0] == "run") {
            runs_[kind_of(fields.at(1))].push_back({fields.at(1), std::stoull(fields.at(2)), {}});
        } else if (fields[0] == "time") {
            runs_[kind_of(fields.at(1))].back().seconds[fields.at(2)] = std::stod(fields.at(3));
        } else if (fields[0] == "counted") {
            counted_.push_back({kind_of(fields.at(1)), {fields.at(2), {fields.begin() + 3, fields.end()}, {}}});
        } else if (fields[0] == "count") {
            counted_.back().second.stages[fields.at(1)][fields.at(2)] = std::stod(fields.at(3));
        }
    }
}

const Recorded::Run* Recorded::nearest(std::string_view title, std::size_t n) const {
    const auto runs = runs_.find(kind_of(title));
    if (runs == runs_.end()) return nullptr;
    const auto distance = [&](const Run& run) {
        return std::pair(std::abs(std::log(static_cast<double>(run.n)) - std::log(static_cast<double>(n))),
                         run.title != title);
    };
    return &*std::ranges::min_element(runs->second, {}, distance);
}

std::optional<std::string> Recorded::nearest_title(std::string_view title, std::size_t n) const {
    const Run* run = nearest(title, n);
    return run ? std::optional(run->title) : std::nullopt;
}

std::optional<double> Recorded::seconds(std::string_view title, std::size_t n, std::string_view stage) const {
    const Run* run = nearest(title, n);
    if (!run) return std::nullopt;
    const auto found = run->seconds.find(stage);
    return found == run->seconds.end() ? std::nullopt : std::optional(found->second);
}

const Recorded::Counts* Recorded::counts(std::string_view title) const {
    for (const auto& [kind, counts] : counted_)
        if (kind == kind_of(title)) return &counts;
    return counted_.empty() ? nullptr : &counted_.front().second;
}

std::optional<double> Recorded::Counts::of(std::string_view stage, std::string_view what) const {
    const auto counted = stages.find(stage);
    if (counted == stages.end()) return std::nullopt;
    const auto found = counted->second.find(what);
    return found == counted->second.end() ? std::nullopt : std::optional(found->second);
}
