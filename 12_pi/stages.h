#pragma once

#include <cstdint>
#include <span>

#include "common/device_buffer.h"
#include "common/stage.h"
#include "pi.h"

// The stages of this chapter, and what each of them guarantees, for its programs and its tests.
namespace pi {

/// Operations of a term as the formula has it: two for x, two for 1 + x², a division and the addition to the sum.
constexpr double operations(std::int64_t terms) {
    return 6.0 * static_cast<double>(terms);
}

/// A workspace for any number of launches, one after the other.
template <class T>
DeviceBuffer<Workspace<T>> make_workspace() {
    DeviceBuffer<Workspace<T>> workspace(1);
    CUDA_CHECK(cudaMemset(workspace.data(), 0, sizeof(Workspace<T>)));
    return workspace;
}

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

// roundings.cu
Roundings serial_roundings, pairwise_roundings, compensated_roundings, threads_roundings, openmp_roundings,
    two_kernels_roundings, one_kernel_roundings, one_division_roundings, shared_division_roundings,
    polynomials_roundings, two_devices_roundings;

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
    {{"10_two_devices", "stage 7, with half of the terms on each device", two_devices}, two_devices_roundings},
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
