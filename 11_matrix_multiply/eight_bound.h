#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eight.h"

// What a product of eight-bit numbers should be, and how far it may be from that.
namespace matrix_multiply {

/// Rows of a product on the host: c[r * n + j] is element j of row rows[r]. bound: as many, how far a stage may be off.
struct ExactRows {
    std::vector<std::size_t> rows;
    std::vector<double> c, bound;
};

/// Every row of a product of m rows, or `most` of them in equal distances, with the first and the last.
std::vector<std::size_t> rows_to_verify(std::size_t m, std::size_t most);

/// The product of numbers of eight bits. Sums of Int8 are exact, so their bound is 0. Those of floats may be off by
///
///     |c[i][j] - exact| <= δ·(9·√(k + k/16) + k/8) + some roundings of floats
///
/// times the scales; where blocks have scales, the squares of the roots are added up. δ = 2^-13·(1 + 1/8)·(the largest
/// of all products and of all partial sums, after every 16 products).
///
/// - By what others have measured, Hopper's tensor cores add up products of FP8 and the sum so far at the exponent of
///   the largest of them, cut each off 13 bits below it, and cut off the result likewise: DeepSeek-AI, "DeepSeek-V3
///   Technical Report", 2024, section 3.5.2, found that about 14 bits are kept; PyTorch's authors found 13 bits of
///   fraction. Here, this happens after every 16 products or later.
/// - So k products and k / 16 sums are cut off, each by less than δ, and k / 16 results. The factor 1 + 1/8 is for
///   partial sums that are themselves not exact.
/// - The sign of what is cut off a product is that of the product. Where signs are random, as the program's are, these
///   errors cancel: their sum is beyond 9·√N·δ with a probability of less than 2·e^(-81/2) = 5·10^-18 (Azuma and
///   Hoeffding). The sums so far, and the results, are cut off in one direction: k / 8 of them are simply added.
template <class F>
ExactRows exact_rows(const QuantizedOnHost<F>& in, std::vector<std::size_t> rows);

/// The product of the matrices as they were, in double, and how far that of the quantized ones may be from it:
///
///     |Δc[i][j]| <= |Δa_i|·|b_j| + |a_i|·|Δb_j| + |Δa_i|·|Δb_j|,   |·|: Euclidean lengths (Cauchy and Schwarz)
///
/// An element x with the scale s changes by s / 2 at most for Int8, and for floats by 2^-(fraction_bits + 1)·|x|, or by
/// half the distance of subnormal numbers, s·2^(smallest_exponent - fraction_bits - 1).
template <class F>
ExactRows original_rows(std::span<const float> a, std::span<const float> b, const QuantizedOnHost<F>& quantized,
                        std::vector<std::size_t> rows);

}  // namespace matrix_multiply
