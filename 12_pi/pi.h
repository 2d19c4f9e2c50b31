#pragma once

#include <cstdint>

#include "common/stage.h"

// π is the area below 4 / (1 + x²) between x = 0 and 1. n strips, each as high as the curve in its middle, nearly fill
// it: (1/n) Σ 4 / (1 + x²) with x = (i + ½) / n, the midpoint rule.
namespace pi {

/// Of the n terms those with first ≤ i < last. If both are the same there are none.
struct Terms {
    std::int64_t n, first, last;
};

inline Terms all_terms(std::int64_t n) {
    return {n, 0, n};
}

/// The most terms: beyond, a double does not hold every i + ½.
inline constexpr std::int64_t max_n = std::int64_t{1} << 52;

/// The part-th of `parts` pieces, 0 ≤ part < parts, which differ in length by one term at most.
inline Terms part_of(Terms terms, std::int64_t part, std::int64_t parts) {
    const std::int64_t length = (terms.last - terms.first) / parts, longer = (terms.last - terms.first) % parts;
    const auto begin = [&](std::int64_t p) { return terms.first + p * length + (p < longer ? p : longer); };
    return {terms.n, begin(part), begin(part + 1)};
}

/// Device memory in which the blocks of a launch leave their sums.
template <class T>
struct Workspace {
    static constexpr unsigned max_blocks = 16384;

    unsigned arrived;          ///< how many blocks have left their sums; 0 between launches
    T block_sums[max_blocks];  ///< a place for each block; anything between launches
};

/// *result = the terms' share of the sum, in arithmetic of type T. result: one T in device memory. Each launch leaves
/// the workspace as it found it; launches that may run at the same time need one each. The work is queued on the
/// default stream, not waited for. Throws cuda_error.
template <class T>
using Launch = void(Terms terms, T* result, Workspace<T>* workspace);

/// The terms' share of the sum, on the host, in arithmetic of type T. threads: how many may work on it, at least 1.
/// Throws usage_error where the system does not give that many.
template <class T>
using OnHost = T(Terms terms, unsigned threads);

// Stages that other files call by name
template <class T>
T serial(Terms terms, unsigned threads);  // 1_cpu_serial.cpp
template <class T>
T pairwise(Terms terms, unsigned threads);  // 2_cpu_pairwise.cpp
template <class T>
T compensated(Terms terms, unsigned threads);
template <class T>
T openmp(Terms terms, unsigned threads);  // 4_cpu_openmp.cpp
template <class T>
void one_kernel(Terms terms, T* result, Workspace<T>* workspace);  // 6_one_kernel.cu
Launch<double> polynomials;                                        // 9_polynomials.cu

/// Operations of a term as the formula has it: two for x, two for 1 + x², a division and the addition to the sum.
constexpr double operations(std::int64_t terms) {
    return 6.0 * static_cast<double>(terms);
}

/// The most roundings that a term passes through on its way into the result, those of the term itself included.
using Roundings = double(Terms terms, unsigned threads);
// Those of stages that other files call: 1_cpu_serial.cpp, 4_cpu_openmp.cpp, 7_one_division.cu, 9_polynomials.cu
Roundings serial_roundings, openmp_roundings, one_division_roundings, polynomials_roundings;

/// The most roundings in a term 4 / (1 + x²) with x = (i + ½) · (1/n), that of 1/n and, in float, those of i and i + ½
/// included.
inline constexpr double roundings_of_a_term = 12;

/// A stage, and what its method guarantees.
template <class T>
struct Stage : ::Stage<Launch<T>, OnHost<T>> {
    Roundings* roundings;
    bool loses_terms = false;  ///< with more than one thread
};

/// Those in arithmetic of type T: float or double.
template <class T>
inline const std::vector<Stage<T>>& stages = all_stages<Stage<T>>();

/// Variants whose threads all write to memory with each term: to one sum, or to sums side by side or apart.
struct SharingStage : Stage<double> {};
inline const std::vector<SharingStage>& sharing_stages = all_stages<SharingStage>();

}  // namespace pi
