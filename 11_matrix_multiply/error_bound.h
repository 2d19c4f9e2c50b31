#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrix_multiply.h"

namespace matrix_multiply {

/// How a sum is made a float: rounded to the nearest one, or cut off, as tensor cores do.
enum class Sums { rounded, cut_off };

/// How far a product in floats may be from the exact one, whatever the order of its additions, with or without fused
/// multiply-adds, and added in one run or in several:
///
///     |c[i][j] - exact| <= γ_k Σ |a[i][l]·b[l][j]|,  γ_k = k·u / (1 - k·u),  u = 2^-24, or 2^-23 if sums are cut off
///
/// - An operation changes its result by a factor of 1 ± u at most. No product passes through more than k operations,
///   its own multiplication included (Higham, "Accuracy and Stability of Numerical Algorithms", chapter 3).
/// - Tensor cores add p products and the sum so far at once. By a published model of those up to Ampere's, they cut
///   each addend off, at 2^-24 of the largest one or finer, and the result at 2^-23 of itself. That is an error of
///   ((p + 1) / 2 + 1)·2^-23 of the sum of magnitudes at most, k / p times. With p at least 4 it is less than k·2^-23
///   (Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021). Of Hopper's we assume
///   the same.
/// - The sum is at most |row i of a|·|column j of b|, both as Euclidean lengths (Cauchy and Schwarz): that bound costs
///   m·k + k·n operations, not m·k·n.
/// - A product below 2^-126 loses at most 2^-150 more.
/// - The bound of the reference, the same with u = 2^-53, is added.
class ErrorBound {
  public:
    /// The largest k that can be verified. Above it γ_k means little, and at 2^24 nothing.
    static constexpr std::size_t longest = std::size_t{1} << 23;

    /// a, b: in host memory, shape.k at most `longest`.
    ErrorBound(std::span<const float> a, std::span<const float> b, Shape shape, Sums sums = Sums::rounded);

    /// Of another error instead: how much the product of a and b changes where their elements are rounded to
    /// `fraction_bits` bits of fraction. A factor changes by u = 2^-(fraction_bits + 1) of itself at most, and so a
    /// product by 2 u + u². For factors that are 0 or of at least 2^-126.
    static ErrorBound of_rounded_factors(std::span<const float> a, std::span<const float> b, Shape shape,
                                         unsigned fraction_bits);

    double operator()(std::size_t i, std::size_t j) const {
        return relative_ * row_lengths_[i] * column_lengths_[j] + underflow_;
    }

  private:
    std::vector<double> row_lengths_, column_lengths_;
    double relative_, underflow_;
};  // error_bound.cpp

}  // namespace matrix_multiply
