#pragma once

// What the tests share: Catch2 in either major version, random data with a seed that a failing test prints, comparisons
// that name the first wrong index, and running programs as a user does.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/capability.h"
#include "common/device_buffer.h"
#include "common/program.h"
#include "common/stage.h"
#include "common/verify.h"

/// The seed of this process: the environment variable SEED, else drawn anew for each run.
std::uint64_t test_seed();

/// n random values, others on each call; failing tests print the seed. Floats are of very different magnitudes, both
/// signs, never NaN or infinite; integers fill their whole range. For the types that testing.cpp names.
template <class T>
std::vector<T> random_values(std::size_t n);

/// A buffer of n values in device memory, each byte 0xff.
template <class T>
DeviceBuffer<T> poisoned(std::size_t n) {
    DeviceBuffer<T> buffer(n);
    buffer.poison();
    return buffer;
}

/// "" if both hold the same values, else the first wrong index, expected and actual. For the types that testing.cpp
/// names.
template <class T>
std::string describe_first_difference(std::span<const T> actual, std::span<const T> expected);

/// The same, for vectors or spans on the host.
template <class Actual, class Expected>
std::string difference(const Actual& actual, const Expected& expected) {
    return describe_first_difference<typename Actual::value_type>(actual, expected);
}

#define REQUIRE_SAME(actual, expected) REQUIRE(difference(actual, expected) == "")

/// Runs and verifies a stage, twice in a row: what the first run leaves behind, a counter for example, spoils the
/// second one. A failing test says which of the two it was.
template <class RunAndVerify>
void twice(const RunAndVerify& run_and_verify) {
    for (const char* run : {"first", "second"}) {
        INFO("in its " << run << " run");
        run_and_verify();
    }
}

/// Whether AddressSanitizer watches. It makes the threads of a block take turns more slowly, so that a test with many
/// blocks of many threads that says nothing else with fewer blocks does with fewer.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool address_sanitizer = false;
#endif

/// Those of a chapter's stages that run on a device, and can on this one.
template <class Stages>
auto on_device(const Stages& stages) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(stages))>> chosen;
    for (const auto& stage : stages)
        if (!stage.on_host && why_not_here(stage.needs).empty()) chosen.push_back(stage);
    return chosen;
}

/// The beginning of a stage's row in a program's table: a variant is shown as "  · full grid ".
inline std::string row_of(std::string_view stage) {
    std::string variant(variant_of(stage));
    std::replace(variant.begin(), variant.end(), '_', ' ');
    return "\n" + (variant.empty() ? std::string(stage) : "  · " + variant) + " ";
}

/// A CUDA call fails with that error, which is taken away again.
#define REQUIRE_ERROR(call, error) \
    REQUIRE((call) == (error));    \
    REQUIRE(cudaGetLastError() == (error))

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

/// A file that holds `bytes` and goes when this does.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view bytes = "");
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }
    std::string text() const;  ///< what it holds now

  private:
    std::string path_ = "/tmp/tests.XXXXXX";
};

/// JSON without its blanks and line ends: {"name":"1_cpu","n":3}. Throws for what is no JSON.
std::string packed_json(const std::string& text);

/// How a program ended and what it wrote.
struct Outcome {
    int exit_code = -1;  ///< -1 if a signal ended it
    int signal = 0;
    std::string out, err;
};

/// Runs a shell command and waits for it.
Outcome run(const std::string& command);

/// Path of a chapter's program in this build, written for a shell: what is no letter has a backslash before it.
std::string program(const std::string& chapter, const std::string& name);

/// Before the command line of a program that uses MPI. What Open MPI keeps at the end is not ours to free:
/// AddressSanitizer shall not count it. Its look for graphics cards (gl) would end with another test's screen.
inline constexpr const char* mpi_environment =
    "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_COMPONENTS=-gl "
    "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 ";

/// Path of a file in tests/golden: what a program is known to make.
std::string golden(const std::string& name);
