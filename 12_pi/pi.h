#pragma once

#include <cstdint>

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

template <class T>
T serial(Terms terms, unsigned threads);  // 1_cpu_serial.cpp
template <class T>
T pairwise(Terms terms, unsigned threads);  // 2_cpu_pairwise.cpp
template <class T>
T compensated(Terms terms, unsigned threads);
template <class T>
T threads(Terms terms, unsigned threads);  // 3_cpu_threads.cpp
OnHost<double> neighbours, apart;
template <class T>
T openmp(Terms terms, unsigned threads);  // 4_cpu_openmp.cpp
OnHost<double> critical, atomic, racy;
template <class T>
void two_kernels(Terms terms, T* result, Workspace<T>* workspace);  // 5_two_kernels.cu
template <class T>
void one_kernel(Terms terms, T* result, Workspace<T>* workspace);  // 6_one_kernel.cu
Launch<double> one_division;                                       // 7_one_division.cu
Launch<double> shared_division;                                    // 8_shared_division.cu
Launch<double> polynomials;                                        // 9_polynomials.cu
Launch<double> two_devices;                                        // 10_two_devices.cu

}  // namespace pi
