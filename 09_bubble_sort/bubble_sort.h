#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "common/stage.h"

// Sorting: first by exchanging neighbours, in the end by merging.
namespace bubble_sort {

/// Sorts the values of `in` into `out`, in the order of keys.h. T: float or int. in, out: n values each in device
/// memory, which do not overlap; n may be 0. The work is queued, not waited for. Throws cuda_error, and usage_error for
/// an n that the stage cannot serve.
template <class T>
using Launch = void(const T* in, T* out, std::size_t n);

/// The same on the host, in place.
template <class T>
using OnHost = void(std::span<T> values);

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
template <class T>
void cpu_threads(std::span<T> values, unsigned threads);  // 1_cpu.cpp

/// One phase of odd_even(): orders the pairs (first, first + 1), (first + 2, first + 3) …
template <class T>
void phase(std::span<T> values, std::size_t first);  // 1_cpu.cpp

template <class T>
void cpu(std::span<T> values);  // 1_cpu.cpp
template <class T>
void cpu_threads(std::span<T> values);  // 1_cpu.cpp
template <class T>
void odd_even(std::span<T> values);  // 1_cpu.cpp
template <class T>
void global_memory(const T* in, T* out, std::size_t n);  // 2_global_memory.cu
template <class T>
void shared_one_block(const T* in, T* out, std::size_t n);  // 3_shared_one_block.cu
template <class T>
void multi_block(const T* in, T* out, std::size_t n);  // 4_multi_block.cu
template <class T>
void registers(const T* in, T* out, std::size_t n);  // 5_registers.cu
template <class T>
void merge_windows(const T* in, T* out, std::size_t n);  // 6_merge_windows.cu
template <class T>
void large_windows(const T* in, T* out, std::size_t n);  // 7_large_windows.cu
template <class T>
void one_launch(const T* in, T* out, std::size_t n);  // 8_one_launch.cu
template <class T>
void merge_tree(const T* in, T* out, std::size_t n);  // 9_merge_tree.cu
template <class T>
void library(const T* in, T* out, std::size_t n);  // library.cu

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
inline constexpr std::size_t one_block_most = 2 * 1024 + 1;

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
    {{"6_merge_windows", "windows are sorted once, then their halves merged", merge_windows<T>}, 1 << 24},
    {{"7_large_windows", "more shared memory than 48 KiB: fewer, larger windows", large_windows<T>, more_than_48_kib},
     1 << 26},
    {{"8_one_launch", "barriers of the whole grid instead of launches", one_launch<T>, more_than_48_kib}, 1 << 26},
    {{"9_merge_tree", "runs of double length each time, not neighbours only", merge_tree<T>}},
#ifdef WITH_LIBRARY
    {{"library", "cub::DeviceRadixSort", library<T>}},
#endif
};

/// Bytes that any sort must move: each value read once and written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * static_cast<double>(n);
}

}  // namespace bubble_sort
