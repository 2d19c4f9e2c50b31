#pragma once

#include "atomic_sum.h"
#include "common/stage.h"

// The stages of this chapter, for its program and its tests.
namespace atomic_sum {

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
    {{"6_vectorized/streaming", "the same, and the L2 cache is to replace the ints first", streaming}},
#ifdef WITH_LIBRARY
    {{"library", "cub::DeviceReduce with a 64-bit sum", library}},
#endif
};

/// Bytes that any sum must move: every int is read once.
constexpr double bytes_moved(std::size_t n) {
    return 1.0 * sizeof(int) * n;
}

}  // namespace atomic_sum
