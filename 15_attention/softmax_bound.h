#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "common/verify.h"
#include "softmax.h"

namespace softmax {

/// The largest error of a weight, relative to itself. Throws wrong_result, naming the stage and the first wrong index,
/// unless all are within their bounds. A NaN never is. A rounding is by 2^-24:
///
/// - an exponent is rounded once, and is the row's range at most. That of a sum's corrections add up to it once more,
/// - an exponential is right within 4 roundings; a sum of n numbers may be corrected n times, with 5 roundings and one
/// of
///   the addition,
/// - numerator and denominator may err to opposite sides. A weight below 2^-126 may be lost.
inline double largest_error(std::string_view stage, const Shape& shape, const std::vector<float>& in,
                            const std::vector<float>& actual, const std::vector<double>& expected) {
    double largest = 0;
    for (int i = 0; i < shape.rows; ++i) {
        const std::size_t first = std::size_t(i) * shape.columns;
        const auto [low, high] = std::minmax_element(in.begin() + first, in.begin() + first + shape.columns);
        const double bound = std::expm1((3 * (double{*high} - *low) + 6.0 * shape.columns + 10) * 0x1p-24);
        for (std::size_t k = first; k < first + shape.columns; ++k) {
            const double error = std::abs(actual[k] - expected[k]);
            if (!(error <= bound * expected[k] + 0x1p-126))
                require_within(
                    std::string(stage) + ", row " + std::to_string(i) + ", column " + std::to_string(k - first),
                    actual[k], expected[k], bound * expected[k] + 0x1p-126);
            if (expected[k] > 0x1p-100) largest = std::max(largest, error / expected[k]);
        }
    }
    return largest;
}

}  // namespace softmax
