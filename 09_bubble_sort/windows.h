#pragma once

// Odd-even transposition with windows instead of pairs: what stages 4 to 8 have in common.

#include <algorithm>
#include <cstddef>

namespace bubble_sort {

/// The array, cut into halves of windows; the last half may be shorter. Phase 0 sorts the windows (0 1)(2 3) …, phase 1
/// the windows 0 (1 2)(3 4) … The halves behave like single values in odd-even transposition, so as many phases are
/// enough as there are halves.
struct Windows {
    std::size_t n, half;

    __host__ __device__ std::size_t halves() const { return (n + half - 1) / half; }
    __host__ __device__ std::size_t offset(std::size_t phase) const { return phase % 2 * half; }

    /// How many windows a phase has. In phase 0 a half without a partner is a window too: it must be sorted once.
    __host__ __device__ std::size_t count(std::size_t phase) const {
        return phase == 0 ? (halves() + 1) / 2 : (halves() - phase % 2) / 2;
    }
};

}  // namespace bubble_sort
