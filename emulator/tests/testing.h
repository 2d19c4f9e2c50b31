#pragma once

// What the tests share: Catch2 in either major version, random data whose seed a failing test prints, comparisons that
// name the first wrong index, and running the programs beside the tests.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The seed of this process: the environment variable SEED, else drawn anew for each run.
std::uint64_t test_seed();

/// n random values, others on each call; failing tests print the seed. Floats are of very different magnitudes, both
/// signs, never NaN or infinite; integers fill their whole range. For the types that testing.cpp names.
template <class T>
std::vector<T> random_values(std::size_t n);

/// "" if both hold the same values, none of them NaN, else the first wrong index, expected and actual. For the types
/// that testing.cpp names.
template <class T>
std::string describe_first_difference(std::span<const T> actual, std::span<const T> expected);

/// The same, for vectors or spans on the host.
template <class Actual, class Expected>
std::string difference(const Actual& actual, const Expected& expected) {
    return describe_first_difference<typename Actual::value_type>(actual, expected);
}

#define REQUIRE_SAME(actual, expected) REQUIRE(difference(actual, expected) == "")

/// A CUDA call fails with that error, which is taken away again.
#define REQUIRE_ERROR(call, error) \
    REQUIRE((call) == (error));    \
    REQUIRE(cudaGetLastError() == (error))

/// Whether AddressSanitizer watches. It makes the threads of a block take turns more slowly, so that a test with many
/// blocks of many threads that says nothing else with fewer blocks does with fewer.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool address_sanitizer = false;
#endif

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

/// How a program ended and what it wrote.
struct Outcome {
    int exit_code = -1;  ///< -1 if a signal ended it
    int signal = 0;
    std::string out, err;
};

/// Runs a shell command and waits for it.
Outcome run(const std::string& command);

/// Path of a program in a folder, written for a shell: what is no letter has a backslash before it.
std::string program_in(const std::string& folder, const std::string& name);
