#pragma once

// What the chapters' tests share, beside what they have from the emulator's: Catch2, random data with a seed,
// comparisons and running programs.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/capability.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "common/stage.h"
#include "common/verify.h"
#include "emulator/tests/testing.h"
#include "harness/program.h"

/// A buffer of n values in device memory, each byte 0xff.
template <class T>
DeviceBuffer<T> poisoned(std::size_t n) {
    DeviceBuffer<T> buffer(n);
    buffer.poison();
    return buffer;
}

/// n values in device memory, `start` values behind a 16-byte boundary, between fences of poison: what is read outside
/// spoils what is computed from it, and what is written there is seen. Longer than what any block works on.
template <class T>
struct Fenced {
    static constexpr std::size_t fence = 20'480;

    explicit Fenced(std::size_t n, std::size_t start = 0)
        : n(n), begin(fence + start), buffer(poisoned<T>(n + start + 2 * fence)) {}

    /// around: another byte for the fences, where a NaN that is read there would be written as one, and not be seen.
    explicit Fenced(const std::vector<T>& values, std::size_t start = 0, int around = 0xff)
        : Fenced(values.size(), start) {
        CUDA_CHECK(cudaMemset(buffer.data(), around, buffer.size() * sizeof(T)));
        if (n > 0) CUDA_CHECK(cudaMemcpy(data(), values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }

    T* data() { return buffer.data() + begin; }

    std::vector<T> values() const {
        const std::vector<T> all = buffer.to_host();
        return {all.begin() + begin, all.begin() + begin + n};
    }

    /// "" or the first index outside of [0, n) that holds anything but poison.
    std::string written_outside() const {
        const std::vector<T> all = buffer.to_host();
        const auto bytes = std::as_bytes(std::span(all));
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((i < begin || i >= begin + n) && std::ranges::any_of(bytes.subspan(i * sizeof(T), sizeof(T)),
                                                                     [](std::byte b) { return b != std::byte{0xff}; }))
                return "index " + std::to_string(static_cast<long>(i) - static_cast<long>(begin)) + " was written";
        return "";
    }

    std::size_t n, begin;
    DeviceBuffer<T> buffer;
};

/// Runs and verifies a stage, twice in a row: what the first run leaves behind, a counter for example, spoils the
/// second one. A failing test says which of the two it was.
template <class RunAndVerify>
void twice(const RunAndVerify& run_and_verify) {
    for (const char* run : {"first", "second"}) {
        INFO("in its " << run << " run");
        run_and_verify();
    }
}

/// What the environment variable STAGE says, between commas: the stages that are to be tested. Empty: all.
std::vector<std::string> stages_to_test();

/// Those of a chapter's stages that run on a device, and can on this one. Of these the ones that are to be tested,
/// where any is.
template <class Stages>
auto on_device(const Stages& stages) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(stages))>> chosen;
    for (const auto& stage : stages)
        if (!stage.on_host && why_not_here(stage.needs).empty()) chosen.push_back(stage);
    const auto asked = [](const auto& stage) {
        return std::ranges::any_of(stages_to_test(),
                                   [&](const std::string& name) { return is_chosen(name, stage.name); });
    };
    if (std::ranges::any_of(chosen, asked)) std::erase_if(chosen, std::not_fn(asked));
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
