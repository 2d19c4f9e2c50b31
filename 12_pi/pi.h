#pragma once

#include <cstdint>
#include <span>

#include "common/device_buffer.h"
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

/// Operations of a term as the formula has it: two for x, two for 1 + x², a division and the addition to the sum.
constexpr double operations(std::int64_t terms) {
    return 6.0 * static_cast<double>(terms);
}

/// Device memory in which the blocks of a launch leave their sums.
template <class T>
struct Workspace {
    static constexpr unsigned max_blocks = 16384;

    unsigned arrived;          ///< how many blocks have left their sums; 0 between launches
    T block_sums[max_blocks];  ///< a place for each block; anything between launches
};

/// A workspace for any number of launches, one after the other.
template <class T>
DeviceBuffer<Workspace<T>> make_workspace() {
    DeviceBuffer<Workspace<T>> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace<T>)));
    return workspace;
}

/// *result = the terms' share of the sum, in arithmetic of type T. result: one T in device memory. Each launch leaves
/// the workspace as it found it; launches that may run at the same time need one each. The work is queued on the
/// default stream, not waited for. Throws cuda_error.
template <class T>
using Launch = void(Terms terms, T* result, Workspace<T>* workspace);

/// The terms' share of the sum, on the host, in arithmetic of type T. threads: how many may work on it, at least 1.
/// Throws usage_error where the system does not give that many.
template <class T>
using OnHost = T(Terms terms, unsigned threads);

/// The most roundings that a term passes through on its way into the result, those of the term itself included.
using Roundings = double(Terms terms, unsigned threads);

/// The terms' share of the sum, with a relative error of about 1e-18.
long double exact(Terms terms);  // exact.cpp

/// How far a result may be from `exact` if no term passes through more than k roundings of type T. As all terms are
/// positive, it is k·u / (1 - k·u) of `exact`; where k·u reaches 1 there is no bound, and it is infinite.
template <class T>
double error_bound(double exact, double k);  // exact.cpp

/// The most roundings in a term 4 / (1 + x²) with x = (i + ½) · (1/n), that of 1/n and, in float, those of i and i + ½
/// included.
inline constexpr double roundings_of_a_term = 12;

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
Roundings serial_roundings, pairwise_roundings, compensated_roundings, threads_roundings, openmp_roundings,
    two_kernels_roundings, one_kernel_roundings, one_division_roundings, shared_division_roundings,
    polynomials_roundings;

/// A stage, and what its method guarantees.
template <class T>
struct Stage : ::Stage<Launch<T>, OnHost<T>> {
    Roundings* roundings;
    bool loses_terms = false;  ///< with more than one thread
};

inline constexpr Stage<float> stages_in_float[] = {
    {{"1_cpu_serial", "one thread on the host, one term after another", serial<float>}, serial_roundings},
    {{"2_cpu_pairwise", "the sums of both halves, and of their halves", pairwise<float>}, pairwise_roundings},
    {{"2_cpu_pairwise/compensated", "what an addition rounds off goes into the next one", compensated<float>},
     compensated_roundings},
    {{"3_cpu_threads", "std::thread: an argument in, a value out", threads<float>}, threads_roundings},
    {{"4_cpu_openmp", "one line: parallel for with a reduction", openmp<float>}, openmp_roundings},
    {{"5_two_kernels", "128 blocks of 512, sums in shared memory", two_kernels<float>}, two_kernels_roundings},
    {{"6_one_kernel", "sums in registers, as many blocks as fit", one_kernel<float>}, one_kernel_roundings},
};

// The stages from 7 on are in double only: a float counts no further than 2^24, and overflows long before n⁸.
inline constexpr Stage<double> stages_in_double[] = {
    {{"1_cpu_serial", "one thread on the host, one term after another", serial<double>}, serial_roundings},
    {{"2_cpu_pairwise", "the sums of both halves, and of their halves", pairwise<double>}, pairwise_roundings},
    {{"2_cpu_pairwise/compensated", "what an addition rounds off goes into the next one", compensated<double>},
     compensated_roundings},
    {{"3_cpu_threads", "std::thread: an argument in, a value out", threads<double>}, threads_roundings},
    {{"4_cpu_openmp", "one line: parallel for with a reduction", openmp<double>}, openmp_roundings},
    {{"5_two_kernels", "128 blocks of 512, sums in shared memory", two_kernels<double>}, two_kernels_roundings},
    {{"6_one_kernel", "sums in registers, as many blocks as fit", one_kernel<double>}, one_kernel_roundings},
    {{"7_one_division", "1 / (n² + j²): one division a term, no x", one_division}, one_division_roundings},
    {{"8_shared_division", "four terms over one denominator", shared_division}, shared_division_roundings},
    {{"9_polynomials", "eight terms are two polynomials", polynomials}, polynomials_roundings},
};

/// Those in arithmetic of type T.
template <class T>
inline constexpr std::span<const Stage<T>> stages = stages_in_float;
template <>
inline constexpr std::span<const Stage<double>> stages<double> = stages_in_double;

/// Variants whose threads all write to memory with each term: to one sum, or to sums side by side or apart.
inline constexpr Stage<double> sharing_stages[] = {
    {{"3_cpu_threads/neighbours", "a sum in memory for each thread, side by side", neighbours}, serial_roundings},
    {{"3_cpu_threads/apart", "the same, 64 bytes or more between them", apart}, serial_roundings},
    {{"4_cpu_openmp/critical", "one sum for all, one thread at a time", critical}, serial_roundings},
    {{"4_cpu_openmp/atomic", "one sum for all, by atomic additions", atomic}, serial_roundings},
    {{"4_cpu_openmp/racy", "one sum for all, read and then written: wrong", racy}, serial_roundings, true},
};

}  // namespace pi
