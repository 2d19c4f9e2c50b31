#pragma once

// Odd-even transposition with windows instead of pairs: what stages 4 to 8 have in common.

#include <algorithm>
#include <cstddef>

namespace bubble_sort {

/// The array in halves of a window, of which the last one may be shorter. Phase 0 orders the windows (0 1)(2 3) …,
/// phase 1 the windows 0 (1 2)(3 4) …: the halves behave as single values do, and so as many phases as there are
/// halves are enough.
struct Windows {
    std::size_t n, half;

    __host__ __device__ std::size_t halves() const { return (n + half - 1) / half; }
    __host__ __device__ std::size_t offset(std::size_t phase) const { return phase % 2 * half; }

    /// How many windows there are in a phase. A half without a partner needs nothing, but to be sorted once at first.
    __host__ __device__ std::size_t count(std::size_t phase) const {
        return phase == 0 ? (halves() + 1) / 2 : (halves() - phase % 2) / 2;
    }
};

}  // namespace bubble_sort
