#pragma once

// What the chapters' tests share, beside what they have from the emulator's: Catch2, random data with a seed,
// comparisons and running programs.

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "common/capability.h"
#include "common/device_buffer.h"
#include "common/program.h"
#include "common/stage.h"
#include "common/verify.h"
#include "emulator/tests/testing.h"

/// A buffer of n values in device memory, each byte 0xff.
template <class T>
DeviceBuffer<T> poisoned(std::size_t n) {
    DeviceBuffer<T> buffer(n);
    buffer.poison();
    return buffer;
}

/// Runs and verifies a stage, twice in a row: what the first run leaves behind, a counter for example, spoils the
/// second one. A failing test says which of the two it was.
template <class RunAndVerify>
void twice(const RunAndVerify& run_and_verify) {
    for (const char* run : {"first", "second"}) {
        INFO("in its " << run << " run");
        run_and_verify();
    }
}

/// Those of a chapter's stages that run on a device, and can on this one.
template <class Stages>
auto on_device(const Stages& stages) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(stages))>> chosen;
    for (const auto& stage : stages)
        if (!stage.on_host && why_not_here(stage.needs).empty()) chosen.push_back(stage);
    return chosen;
}

/// The stage of that name, which there is.
template <class Stages>
const auto& stage_called(std::string_view name, const Stages& stages) {
    return *std::find_if(stages.begin(), stages.end(), [&](const auto& stage) { return stage.name == name; });
}

/// The beginning of a stage's row in a program's table: a variant is shown as "  · full grid ".
inline std::string row_of(std::string_view stage) {
    std::string variant(variant_of(stage));
    std::replace(variant.begin(), variant.end(), '_', ' ');
    return "\n" + (variant.empty() ? std::string(stage) : "  · " + variant) + " ";
}

/// What the usage_error says that `action` ends with.
template <class Action>
std::string complaint(Action action) {
    try {
        action();
    } catch (const usage_error& error) {
        return error.what();
    }
    return "no error";
}

/// JSON without its blanks and line ends: {"name":"1_cpu","n":3}. Throws for what is no JSON.
std::string packed_json(const std::string& text);

/// Path of a chapter's program in this build, written for a shell: what is no letter has a backslash before it.
std::string program(const std::string& chapter, const std::string& name);

/// Path of a file in tests/golden: what a program is known to make.
std::string golden(const std::string& name);
