#pragma once

#include <cstddef>
#include <span>

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

/// The sum mod 2^32, as in_32_bits must give it.
unsigned cpu_in_32_bits(std::span<const int> values);  // 1_cpu.cpp

OnHost cpu;                // 1_cpu.cpp, the reference
OnHost cpu_threads;        // 1_cpu.cpp
Launch atomic_per_thread;  // 2_atomic_per_thread.cu
Launch in_32_bits;         // 2_atomic_per_thread.cu; its result is the sum mod 2^32
Launch two_kernels;        // 3_two_kernels.cu
Launch atomic_per_block;   // 4_atomic_per_block.cu
Launch full_grid;          // 4_atomic_per_block.cu
Launch warp_reduce;        // 5_warp_reduce.cu
Launch vectorized;         // 6_vectorized.cu
Launch streaming;          // 6_vectorized.cu
Launch library;            // library.cu

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
long long cpu_threads(std::span<const int> values, unsigned threads);  // 1_cpu.cpp

}  // namespace atomic_sum
