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
Launch library;            // library.cu

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
long long cpu_threads(std::span<const int> values, unsigned threads);  // 1_cpu.cpp

/// Where a stage finds the values and leaves the result.
enum class Memory {
    device,  ///< device memory, with copies to and from it
    managed  ///< one address for host and device; the driver moves each page to the side that accesses it
};

/// A stage, how many bits its sum has, and the memory that it works on.
struct Stage : ::Stage<Launch, OnHost> {
    unsigned bits = 64;
    Memory memory = Memory::device;
};

inline constexpr Stage stages[] = {
    {{"1_cpu", "one thread on the host", cpu}},
    {{"1_cpu/threads", "all threads of the host, a sum each", cpu_threads}},
    {{"2_atomic_per_thread", "every thread adds its int to the one result", atomic_per_thread}},
    {{"2_atomic_per_thread/32_bits", "an int: nvcc sums each warp first, and the result overflows", in_32_bits}, 32},
    {{"3_two_kernels", "32 blocks sum in shared memory, a second kernel adds the 32 sums", two_kernels}},
    {{"4_atomic_per_block", "one atomicAdd per block instead of the second kernel", atomic_per_block}},
    {{"4_atomic_per_block/managed", "the same kernel on unified memory", atomic_per_block}, 64, Memory::managed},
    {{"4_atomic_per_block/full_grid", "the same kernel with as many blocks as the device holds", full_grid}},
    {{"5_warp_reduce", "a warp sums in registers: one barrier per block", warp_reduce}},
    {{"6_vectorized", "16-byte loads, several on the way; one launch does it all", vectorized}},
#ifdef WITH_LIBRARY
    {{"library", "cub::DeviceReduce with a 64-bit sum", library}},
#endif
};

/// Bytes that any sum must move: every int is read once.
constexpr double bytes_moved(std::size_t n) {
    return 1.0 * sizeof(int) * n;
}

}  // namespace atomic_sum
