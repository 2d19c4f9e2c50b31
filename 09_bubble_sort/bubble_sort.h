#pragma once

#include <cstddef>
#include <span>

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
void radix_one_block(const T* in, T* out, std::size_t n);  // 10_radix_one_block.cu
template <class T>
void radix(const T* in, T* out, std::size_t n);  // 11_radix.cu
template <class T>
void library(const T* in, T* out, std::size_t n);  // library.cu

inline constexpr std::size_t one_block_most = 2 * 1024 + 1;
inline constexpr std::size_t radix_one_block_most = 512 * 16;
inline constexpr std::size_t radix_most = (std::size_t{1} << 30) - 1;

}  // namespace bubble_sort
