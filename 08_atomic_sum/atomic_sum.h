#pragma once

#include <cstddef>
#include <span>

#include "common/stage.h"

// result = values[0] + values[1] + … + values[n - 1], exactly.
namespace atomic_sum {

/// The most ints whose sum fits into 64 bits, whatever they are.
inline constexpr std::size_t max_n = std::size_t{1} << 32;

/// values: n ints, at most max_n. result: one long long; what it held before does not matter. Both are in memory that
/// the device can reach and need no more than their type's alignment. n may be 0. The work is queued, not waited for;
/// launches of the same stage must not overlap (one stream sees to that). Throws cuda_error.
using Launch = void(const int* values, std::size_t n, long long* result);

/// The reference, on the host.
long long cpu(std::span<const int> values);  // 1_cpu.cpp

/// What the notes compute: the same in 32 bits, which is the sum mod 2^32.
unsigned cpu_in_32_bits(std::span<const int> values);                 // 1_cpu.cpp
void in_32_bits(const int* values, std::size_t n, unsigned* result);  // 2_atomic_per_thread.cu

Launch atomic_per_thread;  // 2_atomic_per_thread.cu
Launch two_kernels;        // 3_two_kernels.cu
Launch atomic_per_block;   // 4_atomic_per_block.cu
Launch full_grid;          // 4_atomic_per_block.cu
Launch warp_reduce;        // 5_warp_reduce.cu
Launch vectorized;         // 6_vectorized.cu
Launch library;            // library.cu

inline constexpr Stage<Launch> stages[] = {
    {"2_atomic_per_thread", "every thread adds its int to the one result", atomic_per_thread},
    {"3_two_kernels", "32 blocks sum in shared memory, a second kernel adds the 32 sums", two_kernels},
    {"4_atomic_per_block", "one atomicAdd per block instead of the second kernel", atomic_per_block},
    {"4_full_grid", "the same kernel with as many blocks as the device holds", full_grid},
    {"5_warp_reduce", "a warp sums in registers: one barrier per block", warp_reduce},
    {"6_vectorized", "16-byte loads, several on the way; one launch does it all", vectorized},
#ifdef WITH_LIBRARY
    {"library", "cub::DeviceReduce with a 64-bit sum", library},
#endif
};

/// Bytes that any sum must move: every int is read once.
constexpr double bytes_moved(std::size_t n) {
    return 1.0 * sizeof(int) * n;
}

}  // namespace atomic_sum
