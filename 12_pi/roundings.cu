// How often each stage rounds: what its error bound is computed from. A term passes through the roundings of its own,
// of the additions of its thread, and of those that add the threads' sums; then the sum is multiplied by the step.
// Block sizes that are not in one_launch.h are those of the stages' files: if you change one there, change it here,
// too.

#include <algorithm>
#include <cmath>

#include "one_launch.h"
#include "stages.h"

namespace pi {
namespace {

/// The additions of a term from 6_one_kernel on: those of its thread, which takes `each` terms in a round, and of
/// finish().
double additions(Terms terms, std::int64_t each) {
    const unsigned blocks = blocks_for(terms, each);
    const std::int64_t steps = (terms.last - terms.first) / (each * blocks * block_size) + 1;
    const std::int64_t shuffles = 5 + 5;  // log2(warp_size), twice; again in the last block
    return static_cast<double>(steps + shuffles + blocks / block_size + 1 + shuffles);
}

double count_of(Terms terms) {
    return static_cast<double>(terms.last - terms.first);
}

}  // namespace

double serial_roundings(Terms terms, unsigned) {
    return roundings_of_a_term + count_of(terms) + 1;
}

double pairwise_roundings(Terms terms, unsigned) {
    constexpr double block = 64;  // so many terms are added one after another
    return roundings_of_a_term + block + std::ceil(std::log2(std::max(count_of(terms) / block, 1.0))) + 1;
}

// Goldberg, "What every computer scientist should know about floating-point arithmetic" (1991), theorem 8: at most two
// roundings for each term, and in addition O(n u²) of the sum. The theorem gives no constant for O; here it is 8.
double compensated_roundings(Terms terms, unsigned) {
    return roundings_of_a_term + 2 + 8 * 0x1p-24 * count_of(terms) + 1;
}

double threads_roundings(Terms terms, unsigned threads) {
    return roundings_of_a_term + static_cast<double>((terms.last - terms.first) / threads + 1) + 1 + threads;
}

// The schedule decides how many terms a thread gets: it may be all of them.
double openmp_roundings(Terms terms, unsigned threads) {
    return serial_roundings(terms, threads) + threads;
}

double two_kernels_roundings(Terms terms, unsigned) {
    constexpr std::int64_t blocks = 128, block_size = 512;
    const std::int64_t steps = (terms.last - terms.first) / (blocks * block_size) + 1;
    return roundings_of_a_term + static_cast<double>(steps) + std::log2(block_size) + std::log2(blocks) + 1;
}

double one_kernel_roundings(Terms terms, unsigned) {
    return roundings_of_a_term + additions(terms, 1) + 2;
}

double one_division_roundings(Terms terms, unsigned) {
    const double term = 4;  // n², j², their sum, the reciprocal
    return term + additions(terms, 1) + 1;
}

double shared_division_roundings(Terms terms, unsigned) {
    const double denominator = 3;                                            // n², j², their sum
    const double numerator = (denominator + 1) + (2 * denominator + 1) + 2;  // a + b, c·d, their product and the sum
    const double product = 4 * denominator + 3;
    return numerator + product + 2 + 1 + additions(terms, 4) + 1;  // + 1: the term of the rest
}

double polynomials_roundings(Terms terms, unsigned) {
    const double q = 1;  // its rounding changes a polynomial of degree d with positive coefficients like d roundings
    const double numerator = 7 * q + 1 + 2 * 7, denominator = 8 * q + 1 + 2 * 8;  // coefficients, Horner
    return numerator + denominator + 2 + additions(terms, 8) + 2;
}

double two_devices_roundings(Terms terms, unsigned threads) {
    return one_division_roundings(part_of(terms, 0, 2), threads) + 1;
}

}  // namespace pi
