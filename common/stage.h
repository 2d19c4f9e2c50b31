#pragma once

#include <string>
#include <string_view>
#include <vector>

/// One way to do a chapter's work, in a file of its own; or a variant of it, which stands in the same file.
/// name: the file's, without the ending ("4_atomic_per_block"); a variant's has its own besides
/// ("4_atomic_per_block/full_grid"). idea: what it adds, in a line. A chapter says what its functions take and give:
/// Launch queues work for the device, OnHost does it on the host. A stage has one of the two, the other is null.
template <class Launch, class OnHost>
struct Stage {
    constexpr Stage(std::string_view name, std::string_view idea, OnHost* on_host)
        : name(name), idea(idea), on_host(on_host) {}
    constexpr Stage(std::string_view name, std::string_view idea, Launch* launch)
        : name(name), idea(idea), launch(launch) {}

    std::string_view name, idea;
    OnHost* on_host = nullptr;
    Launch* launch = nullptr;
};

/// Name and idea of a stage, whatever its functions.
struct StageName {
    std::string_view name, idea;
};

/// Those of one list after the other.
template <class... Lists>
std::vector<StageName> names_of(const Lists&... lists) {
    std::vector<StageName> names;
    const auto add = [&](const auto& stages) {
        for (const auto& stage : stages) names.push_back({stage.name, stage.idea});
    };
    (add(lists), ...);
    return names;
}

/// "4_atomic_per_block" of "4_atomic_per_block/full_grid", and of itself.
std::string_view file_of(std::string_view stage);

/// "full_grid" of "4_atomic_per_block/full_grid"; empty for what is no variant.
std::string_view variant_of(std::string_view stage);

/// Whether `asked`, what --stage was given, means this stage. "4", "04", "atomic_per_block" and the whole name choose a
/// stage with its variants, "4/full_grid" that variant alone, and nothing chooses all.
bool is_chosen(std::string_view asked, std::string_view stage);

/// Whether it means any stage of the list.
template <class Stages>
bool any_chosen(std::string_view asked, const Stages& stages) {
    for (const auto& stage : stages)
        if (is_chosen(asked, stage.name)) return true;
    return false;
}
