#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "common/stage.h"
#include "csr.h"

// y = A·x with a sparse matrix A: y[r] = Σ values[e]·x[columns[e]] over the entries e of row r.
namespace sparse {

/// x: a.width floats, y: a.rows floats, both in device memory, as the arrays of a are; y does not overlap what is read.
/// The pointers need only a float's alignment. There may be no rows, and rows without entries, of which y is 0. A NaN
/// in a value or in an x that a row reads makes that row NaN. The work is queued, not waited for. Throws cuda_error.
using Launch = void(const Matrix& a, const float* x, float* y);

/// The same on the host: x has a.width floats, and y has a.rows.
using OnHost = void(const Csr& a, std::span<const float> x, std::span<float> y);

OnHost cpu, cpu_threads;  // 1_cpu.cpp

/// cpu_threads() with this number of threads, at least 1, instead of all that the host has.
void cpu_threads(const Csr& a, std::span<const float> x, std::span<float> y, unsigned threads);  // 1_cpu.cpp

/// The most roundings that a product passes through on its way into y, in a row of k entries: its own, and that of each
/// sum that it becomes part of. Of a, only the sizes are read.
using Roundings = std::size_t(const Matrix& a, std::size_t k);
Roundings one_after_the_other;  // 2_thread_per_row.cu

/// A stage, and what its method guarantees.
struct Stage : ::Stage<Launch, OnHost> {
    Roundings* roundings;
};

inline const std::vector<Stage>& stages = all_stages<Stage>();

/// A lower bound on the bytes of any stage: each value, column and row start is read once, and so is each x, if there
/// are enough entries to need it; each y is written once.
constexpr double bytes_moved(double rows, double width, double entries) {
    return 8 * entries + 4 * (rows + 1) + 4 * std::min(width, entries) + 4 * rows;
}

/// A row's exact sum, nearly, and how large its products are.
struct Exact {
    double value;      ///< Σ values[e]·x[columns[e]], in double
    double magnitude;  ///< Σ |values[e]·x[columns[e]]|
};

/// The exact sums of all rows.
std::vector<Exact> exact(const Csr& a, std::span<const float> x);  // exact.cpp

/// How far from the exact sum a row of k entries may be: each rounding is by a factor of 1 ± u, with u = 2^-24, and a
/// product passes through `roundings` of them, of which no more than k change anything (Higham, "Accuracy and Stability
/// of Numerical Algorithms", chapter 3). A sum below 2^-126 may become 0 in an atomicAdd(). Infinite if nothing is
/// guaranteed.
inline double error_bound(const Exact& exact, std::size_t k, std::size_t roundings) {
    const double ku = 0x1p-24 * static_cast<double>(std::min(k, roundings));
    if (ku >= 1) return std::numeric_limits<double>::infinity();
    // The last factor is for the roundings of the exact sum and of this bound.
    return (ku / (1 - ku) * exact.magnitude + 0x1p-125 * static_cast<double>(k)) * (1 + 0x1p-20) +
           0x1p-52 * static_cast<double>(k) * exact.magnitude;
}

}  // namespace sparse
