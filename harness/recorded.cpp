#include "harness/recorded.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace {

/// The title without its numbers: "n = 33,792 pairs" and "n = 1,000 pairs" are of one kind.
std::string kind_of(std::string_view title) {
    std::string kind;
    for (const char c : title)
        if (std::string_view("0123456789,").find(c) == std::string_view::npos) kind += c;
    return kind;
}

}  // namespace

Recorded::Recorded(const std::string& path) {
    std::ifstream file(path);
    if (!file) return;
    const auto recorded = nlohmann::ordered_json::parse(file);
    recorded.at("gpu").get_to(gpu_);
    recorded.at("gpu_in_full").get_to(gpu_in_full_);
    for (const auto& run : recorded.at("runs")) {
        const std::string title = run.at("title");
        runs_[kind_of(title)].push_back({title, run.at("n"), run.at("seconds")});
    }
    for (const auto& each : recorded.at("counted"))
        counted_.push_back(
            {kind_of(each.at("title").get<std::string>()), {each.at("command"), each.at("what"), each.at("stages")}});
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
