#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

OnHost cpu;               // 1_cpu.cpp, the reference
OnHost cpu_threads;       // 1_cpu.cpp
Launch global_atomics;    // 2_global_atomics.cu
Launch shared_atomics;    // 3_shared_atomics.cu
Launch vectorized_loads;  // 4_vectorized_loads.cu
Launch copy_per_warp;     // 5_copy_per_warp.cu
Launch private_bytes;     // 6_private_bytes.cu
Launch column_per_lane;   // 7_column_per_lane.cu
Launch library;           // library.cu

/// cpu_threads() with this number of threads instead of all that the host has.
void cpu_threads(std::span<const std::uint8_t> data, std::span<Count> counts, unsigned threads);

/// Stage 3 with a given number of blocks per multiprocessor instead of two. Throws usage_error for a grid that the
/// device cannot run.
void shared_atomics(const std::uint8_t* data, std::size_t n, Count* counts, std::size_t blocks_per_multiprocessor);

}  // namespace histogram
