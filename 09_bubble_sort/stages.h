#pragma once

#include <limits>

#include "bubble_sort.h"
#include "common/stage.h"

// The stages of this chapter, for its program and its tests.
namespace bubble_sort {

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A stage and its limits: the time of the slow stages grows with the square of n.
template <class T>
struct Stage : ::Stage<Launch<T>, OnHost<T>> {
    std::size_t patience = unlimited;  ///< the most values that it sorts unless --stage asks for it
    std::size_t most = unlimited;      ///< the most values that it can sort
};

template <class T>
inline constexpr Stage<T> stages[] = {
    {{"1_cpu", "std::sort(), one thread on the host", cpu<T>}},
    {{"1_cpu/threads", "std::sort() on all threads of the host, then merges", cpu_threads<T>}},
    {{"1_cpu/odd_even", "odd-even transposition, one thread on the host", odd_even<T>}, 1 << 14},
    {{"2_global_memory", "a launch for each phase, a thread for each pair", global_memory<T>}, 1 << 18},
    {{"3_shared_one_block", "one block, all phases in its shared memory", shared_one_block<T>},
     unlimited,
     one_block_most},
    {{"4_multi_block", "windows in shared memory, moved by half a window in turn", multi_block<T>}, 1 << 20},
    {{"5_registers", "a window for each warp, in registers: shuffles, no barriers", registers<T>}, 1 << 20},
    {{"6_merge_windows", "windows are sorted once, then their halves merged", merge_windows<T>}, 1 << 22},
    {{"7_large_windows", "more shared memory than 48 KiB: fewer, larger windows", large_windows<T>, more_than_48_kib},
     1 << 22},
    {{"8_one_launch", "barriers of the whole grid instead of launches", one_launch<T>, more_than_48_kib}, 1 << 22},
    {{"9_merge_tree", "runs of double length each time, not neighbours only", merge_tree<T>}},
    {{"10_radix_one_block", "no comparisons: one block orders by 8 bits, four times", radix_one_block<T>,
      more_than_48_kib},
     unlimited,
     radix_one_block_most},
    {{"11_radix", "many blocks, and each asks those before it where its keys go", radix<T>, more_than_48_kib},
     unlimited,
     radix_most},
#ifdef WITH_LIBRARY
    {{"library", "cub::DeviceRadixSort", library<T>}},
#endif
};

/// Bytes that any sort must move: each value read once and written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * static_cast<double>(n);
}

}  // namespace bubble_sort
