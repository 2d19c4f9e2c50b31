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

inline constexpr std::size_t one_block_most = 2 * 1024 + 1;
inline constexpr std::size_t radix_one_block_most = 512 * 16;
inline constexpr std::size_t radix_most = (std::size_t{1} << 30) - 1;

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A stage and its limits: the time of the slow stages grows with the square of n.
template <class T>
struct Stage : ::Stage<Launch<T>, OnHost<T>> {
    std::size_t patience = unlimited;  ///< the most values that it sorts unless --stage asks for it
    std::size_t most = unlimited;      ///< the most values that it can sort
};

template <class T>
inline const std::vector<Stage<T>>& stages = all_stages<Stage<T>>();

/// Bytes that any sort must move: each value read once and written once.
constexpr double bytes_moved(std::size_t n) {
    return 2.0 * sizeof(float) * static_cast<double>(n);
}

}  // namespace bubble_sort
