#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stage.h"

// How often does each of the 256 byte values occur?
namespace histogram {

inline constexpr unsigned bins = 256;

/// 64 bits, so that no input is too long. Not std::uint64_t, for which atomicAdd() may have no overload.
using Count = unsigned long long;

/// counts[v] becomes the number of bytes with the value v. data: n bytes in device memory at any address; n may be 0.
/// counts: 256 counters in device memory; what they held before does not matter. The work is queued, not waited for.
/// Throws cuda_error, and usage_error for an n that the stage cannot serve.
using Launch = void(const std::uint8_t* data, std::size_t n, Count* counts);

/// The same on the host. counts has 256 elements.
using OnHost = void(std::span<const std::uint8_t> data, std::span<Count> counts);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads instead of all that the host has.
void cpu_threads(std::span<const std::uint8_t> data, std::span<Count> counts, unsigned threads);

/// Stage 3 with a given number of blocks per multiprocessor instead of two. Throws usage_error for a grid that the
/// device cannot run.
void shared_atomics(const std::uint8_t* data, std::size_t n, Count* counts, std::size_t blocks_per_multiprocessor);

/// A stage, and how many blocks it is given.
struct Stage : ::Stage<Launch, OnHost> {
    std::size_t blocks_per_multiprocessor = 0;  ///< for variants of stage 3; 0: the stage's own number
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// Bytes that any histogram must read. What it writes is negligible.
constexpr double bytes_moved(std::size_t n) {
    return static_cast<double>(n);
}

}  // namespace histogram
