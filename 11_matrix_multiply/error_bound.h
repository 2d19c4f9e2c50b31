#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matrix_multiply.h"

namespace matrix_multiply {

/// How far a product in floats may be from the exact one, whatever the order of its additions, with or without fused
/// multiply-adds, and added in one run or in several:
///
///     |c[i][j] - exact| <= γ_k Σ |a[i][l]·b[l][j]|,  γ_k = k·u / (1 - k·u),  u = 2^-24
///
/// - An operation changes its result by a factor of 1 ± u at most. No product passes through more than k operations,
///   its own multiplication included (Higham, "Accuracy and Stability of Numerical Algorithms", chapter 3).
/// - The sum is at most |row i of a|·|column j of b|, both as Euclidean lengths (Cauchy and Schwarz): that bound costs
///   m·k + k·n operations, not m·k·n.
/// - A product below 2^-126 loses at most 2^-150 more.
/// - The bound of the reference, the same with u = 2^-53, is added.
class ErrorBound {
  public:
    /// The largest k that can be verified. Above it γ_k means little, and at 2^24 nothing.
    static constexpr std::size_t longest = std::size_t{1} << 23;

    /// a, b: in host memory, shape.k at most `longest`.
    ErrorBound(std::span<const float> a, std::span<const float> b, Shape shape);

    double operator()(std::size_t i, std::size_t j) const {
        return relative_ * row_lengths_[i] * column_lengths_[j] + underflow_;
    }

  private:
    std::vector<double> row_lengths_, column_lengths_;
    double relative_, underflow_;
};  // error_bound.cpp

}  // namespace matrix_multiply
