#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/capability.h"

/// One way to do a chapter's work, in a file of its own, which ends with STAGES(). A variant of a stage is in the same
/// file. name: the file's, without the ending ("4_atomic_per_block"), plus the variant's if it is one
/// ("4_atomic_per_block/full_grid"). idea: what the stage adds, in one line. Launch queues the work for the device, and
/// OnHost does it on the host; the chapter declares their parameters. A stage has one of them, and the other is null.
/// needs: what a device must have for the stage.
template <class Launch, class OnHost>
struct Stage {
    constexpr Stage(std::string_view idea, OnHost* on_host) : Stage("", idea, on_host) {}
    constexpr Stage(std::string_view idea, Launch* launch, ComputeCapability needs = {})
        : Stage("", idea, launch, needs) {}
    constexpr Stage(std::string_view variant, std::string_view idea, OnHost* on_host)
        : name(variant), idea(idea), on_host(on_host) {}
    constexpr Stage(std::string_view variant, std::string_view idea, Launch* launch, ComputeCapability needs = {})
        : name(variant), idea(idea), launch(launch), needs(needs) {}

    std::string_view name, idea;
    OnHost* on_host = nullptr;
    Launch* launch = nullptr;
    ComputeCapability needs;
};

/// The stages of this kind that are linked into the program, in order.
template <class Stage>
std::vector<Stage>& all_stages() {
    static std::vector<Stage> all;
    return all;
}

/// The name of a stage in that file, or of its variant: "4_tiles" or "4_tiles/padded". It stays.
std::string_view stage_name(std::string_view file, std::string_view variant);

/// Whether the first of two stages comes before the other one, in the order of their files: 2_…, 10_…, b1_…, the
/// library's, and at the end the reader's own, which have no number either.
bool is_before(std::string_view stage, std::string_view other);

/// Adds the stages of a file to all of their kind, before main() begins.
struct Listed {
    template <class... Stages>
    explicit Listed(std::string_view file, Stages... stages) {
        (add(file, stages), ...);
    }

  private:
    template <class Stage>
    static void add(std::string_view file, Stage stage) {
        stage.name = stage_name(file, stage.name);
        std::vector<Stage>& all = all_stages<Stage>();
        const auto before = [](const Stage& a, const Stage& b) { return is_before(a.name, b.name); };
        all.insert(std::upper_bound(all.begin(), all.end(), stage, before), stage);
    }
};

/// Ends a stage's file: STAGES(Stage{"tiles in shared memory", tiles}, Stage{"padded", "a 17th column", padded}) in
/// 4_tiles.cu makes 4_tiles and 4_tiles/padded. The program's table, its tests and ./lab know them by that alone.
#define STAGES(...) static const Listed listed(__FILE__, __VA_ARGS__)

/// The name and idea of a stage, without its functions.
struct StageName {
    std::string_view name, idea;
};

/// The names of all lists, one list after the other.
template <class... Lists>
std::vector<StageName> names_of(const Lists&... lists) {
    std::vector<StageName> names;
    const auto add = [&](const auto& stages) {
        for (const auto& stage : stages) names.push_back({stage.name, stage.idea});
    };
    (add(lists), ...);
    return names;
}

/// The file's name: "4_atomic_per_block" for "4_atomic_per_block/full_grid", and for itself.
std::string_view file_of(std::string_view stage);

/// The variant's name: "full_grid" for "4_atomic_per_block/full_grid"; empty if the stage is not a variant.
std::string_view variant_of(std::string_view stage);

/// Whether `asked`, the value of --stage, chooses this stage. "4", "04", "atomic_per_block" and the whole name choose a
/// stage with its variants. "4/full_grid" chooses that variant alone. An empty value chooses every stage.
bool is_chosen(std::string_view asked, std::string_view stage);

/// Whether `asked` chooses any stage of the list.
template <class Stages>
bool any_chosen(std::string_view asked, const Stages& stages) {
    for (const auto& stage : stages)
        if (is_chosen(asked, stage.name)) return true;
    return false;
}
