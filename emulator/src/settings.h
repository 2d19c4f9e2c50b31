#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

// What the environment of a program tells the emulator: each variable, what it may be, what holds without it and what
// it means. The table in docs/environment.md has the same rows, and a test compares the two.
//
// A variable is read when it is first asked for and then remembered, so that a program may set it itself before.
namespace emulator {

struct Setting {
    const char *name, *otherwise, *meaning;
};

/// On or off; 0 is as good as nothing.
struct Switch : Setting {
    using Value = bool;
    static constexpr const char* values = "1";
    static constexpr Value unset = false;
    static bool parse(const char* text, Value& value);
};

struct Seed : Setting {
    /// `is_set` tells apart a variable that is set to nothing, which has no number, from one that is not set at all.
    struct Value {
        bool is_set;
        std::optional<std::uint64_t> number;
    };
    static constexpr const char* values = "a whole number";
    static constexpr Value unset{false, std::nullopt};
    static bool parse(const char* text, Value& value);
};

struct Seconds : Setting {
    using Value = double;
    static constexpr const char* values = "seconds";
    Value unset;
    static bool parse(const char* text, Value& value);
};

/// Null: not set.
struct File : Setting {
    using Value = const char*;
    static constexpr const char* values = "a file";
    static constexpr Value unset = nullptr;
    static bool parse(const char* text, Value& value);
};

struct GoOn : Setting {
    using Value = bool;
    static constexpr const char* values = "go-on";
    static constexpr Value unset = false;
    static bool parse(const char* text, Value& value);
};

struct Devices : Setting {
    using Value = int;
    static constexpr const char* values = "0 to 8";
    static constexpr Value unset = 1;
    static bool parse(const char* text, Value& value);
};

enum class Counted { nothing, kernels, lines };

struct CountTable : Setting {
    using Value = Counted;
    static constexpr const char* values = "1 or lines";
    static constexpr Value unset = Counted::nothing;
    static bool parse(const char* text, Value& value);
};

/// Which of the GPUs in checked/floors.h.
struct KnownGpu : Setting {
    using Value = std::size_t;
    static constexpr const char* values = "H100 or H200";
    static constexpr Value unset = 1;
    static bool parse(const char* text, Value& value);
};

// clang-format off
namespace settings {

// How threads run, and when they have run for too long.
inline constexpr Seed shuffle{"EMULATOR_SHUFFLE", "in order",
    "start the threads of each block, the work of streams and the nodes of each graph in a random order, of which this is the seed"};
inline constexpr Seed interleave{"EMULATOR_INTERLEAVE", "from a launch's first atomicCAS(), atomicExch(), or load, store or acquiring update of a cuda::atomic on",
    "let other threads go first at about every second atomic operation and access through volatile (checked build); set to nothing: never"};
inline constexpr Seed diverge{"EMULATOR_DIVERGE", "all lanes",
    "let __activemask() and coalesced_threads() find only some of the lanes"};
inline constexpr Seconds spin_seconds{{"EMULATOR_SPIN_SECONDS", "20",
    "end a kernel whose threads have done nothing but wait for so long, of a processor's time"}, 20};
inline constexpr Seconds timeout{{"EMULATOR_TIMEOUT", "no limit",
    "end a kernel, or a loop in a graph, that has taken so much of the processors' time"}, 0};
inline constexpr Switch launch_blocking{"CUDA_LAUNCH_BLOCKING", "when the program waits",
    "show what a kernel has printed at the end of its launch"};

// Memory.
inline constexpr Switch poison{"EMULATOR_POISON", "0x00",
    "fill fresh device memory with 0xff, as the checked build always does"};
inline constexpr GoOn near_misses{"EMULATOR_NEAR_MISSES", "the kernel fails",
    "let a kernel go on behind an access that a GPU would not notice, and report it"};

// What a program that is right on one GPU may have to expect of another.
inline constexpr Devices devices{"EMULATOR_DEVICES", "1",
    "how many devices there are"};
inline constexpr Switch not_ready{"EMULATOR_NOT_READY", "always ready",
    "let an event or a stream that nobody has waited for answer cudaErrorNotReady once"};
inline constexpr Switch refuse_launches{"EMULATOR_REFUSE_LAUNCHES", "none",
    "refuse each launch with cudaErrorLaunchOutOfResources (checked build)"};
inline constexpr Switch acquire_fences{"EMULATOR_ACQUIRE_FENCES", "the writer's fence is enough",
    "ask for a fence of the reader, too (checked build)"};

// What the checked build writes.
inline constexpr File check_json{"EMULATOR_CHECK_JSON", "none",
    "append each finding as a line of JSON"};
inline constexpr CountTable count{"EMULATOR_COUNT", "none",
    "print what each kernel costs as the program ends; lines: line by line, too"};
inline constexpr File count_json{"EMULATOR_COUNT_JSON", "none",
    "write what each kernel costs as JSON"};
inline constexpr KnownGpu gpu{"EMULATOR_GPU", "H200",
    "the GPU of which the table says how long a kernel takes at least"};
inline constexpr File watch{"EMULATOR_WATCH", "none",
    "write a page that shows the kernels' threads run, step by step"};
inline constexpr File watch_json{"EMULATOR_WATCH_JSON", "none",
    "write what that page shows as JSON"};

}  // namespace settings
// clang-format on

/// "emulator: EMULATOR_TIMEOUT=5s is ignored: its value is seconds"
void tell_of_nonsense(const Setting& setting, const char* text, const char* values);

/// What the environment says right now; what makes no sense is told of and ignored.
template <class Kind>
typename Kind::Value read_setting(const Kind& setting) {
    typename Kind::Value value = setting.unset;
    const char* text = std::getenv(setting.name);
    if (text == nullptr || setting.parse(text, value)) return value;
    tell_of_nonsense(setting, text, setting.values);
    return setting.unset;
}

/// What the environment said when this was first called for that setting.
template <const auto& setting>
const auto& value_of() {
    static const auto value = read_setting(setting);
    return value;
}

}  // namespace emulator
