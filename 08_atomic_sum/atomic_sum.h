#pragma once

#include <cstddef>
#include <span>

#include "common/stage.h"

// result = values[0] + values[1] + … + values[n - 1], exactly.
namespace atomic_sum {

/// The most ints whose sum is sure to fit into 64 bits.
inline constexpr std::size_t max_n = std::size_t{1} << 32;

/// *result becomes the sum of the n values, whatever it held before. n is at most max_n and may be 0. values, result:
/// in memory that the device can reach, with their type's alignment. The work is queued, not waited for; launches of
/// the same stage must not overlap (one stream sees to that). Throws cuda_error.
using Launch = void(const int* values, std::size_t n, long long* result);

/// The same on the host.
using OnHost = long long(std::span<const int> values);

/// The sum mod 2^32, as 2_atomic_per_thread/32_bits must give it.
unsigned cpu_in_32_bits(std::span<const int> values);  // 1_cpu.cpp

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
long long cpu_threads(std::span<const int> values, unsigned threads);  // 1_cpu.cpp

/// Where a stage finds the values and leaves the result.
enum class Memory {
    device,  ///< device memory, with copies to and from it
    managed  ///< one address for host and device; the driver moves each page to the side that accesses it
};

/// Variables in managed memory that a stage's file declares: room for `most` values, and the result.
struct Variables {
    int* values;
    std::size_t most;
    long long* result;
};

/// A stage, how many bits its sum has, and the memory that it works on: with `variables`, what that returns.
struct Stage : ::Stage<Launch, OnHost> {
    unsigned bits = 64;
    Memory memory = Memory::device;
    Variables (*variables)() = nullptr;
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// Bytes that any sum must move: every int is read once.
constexpr double bytes_moved(std::size_t n) {
    return 1.0 * sizeof(int) * n;
}

}  // namespace atomic_sum
