#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "attention.h"
#include "common/verify.h"

namespace attention {

/// How far a stage's result may be from the exact one. All roundings are by 2^-23 at most: to the nearest float, or cut
/// off, as tensor cores do.
///
/// - A score has d additions and a scaling, an exponent a difference and a product: no more than d + 20 roundings of
///   numbers up to S = |query| · |longest key| / sqrt(d), counted once more for the corrections, whose exponents add up
///   to 2 S at most. An error of an exponent is a relative error of the weight.
/// - An exponential is right within 2 roundings. A weight is corrected once a tile of 32 keys or more, with 3
/// roundings.
/// - Weights, and products with values, have n additions. Numerator and denominator may err to opposite sides.
/// - Weights that are rounded to BF16 change by 2^-8 of themselves more, in the numerator only.
/// - Relative errors are of Σ p |value|. A weight below 2^-126 may be lost.
class ErrorBound {
  public:
    ErrorBound(const Shape& shape, const Vectors<float>& in) : shape_(shape), magnitudes_(elements(shape)) {
        std::vector<float> values(in.values, in.values + elements(shape));
        for (float& value : values) value = std::abs(value);
        cpu_threads(shape, {in.queries, in.keys, values.data()}, magnitudes_);
        largest_ = *std::max_element(values.begin(), values.end());
        const auto length = [&](const float* row) {
            double sum = 0;
            for (int c = 0; c < shape.d; ++c) sum += double{row[c]} * row[c];
            return std::sqrt(sum);
        };
        for (int head = 0; head < shape.heads; ++head) {
            const std::size_t first = std::size_t(head) * shape.n;
            double longest = 0;
            for (int j = 0; j < shape.n; ++j) longest = std::max(longest, length(in.keys + (first + j) * shape.d));
            for (int i = 0; i < shape.n; ++i)
                scores_.push_back(length(in.queries + (first + i) * shape.d) * longest / std::sqrt(double(shape.d)));
        }
    }

    /// of_halves: the stage rounds weights to BF16.
    double operator()(std::size_t index, bool of_halves) const {
        constexpr double rounding = 0x1p-23;
        const double in_weight = (shape_.d + 20) * scores_[index / shape_.d] + 3 * (shape_.n / 32 + 1) + 2;
        const double in_sum = std::expm1((in_weight + shape_.n + 4) * rounding);
        if (in_sum >= 1) return INFINITY;
        const double relative = (1 + in_sum) * (1 + (of_halves ? 0x1p-8 : 0)) / (1 - in_sum) - 1;
        return relative * magnitudes_[index] + shape_.n * 0x1p-125 * largest_;
    }

    /// The largest error, relative to the largest element. Throws wrong_result, naming the stage and the first wrong
    /// index, unless all are within their bounds. A NaN never is.
    double largest_error(std::string_view stage, const std::vector<float>& actual, const std::vector<double>& expected,
                         bool of_halves) const {
        double error = 0, largest = 0;
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const std::size_t i = k / shape_.d;
            const std::string at = std::string(stage) + ", head " + std::to_string(i / shape_.n) + ", position " +
                                   std::to_string(i % shape_.n) + ", element " + std::to_string(k % shape_.d);
            require_within(at, actual[k], expected[k], (*this)(k, of_halves));
            error = std::max(error, std::abs(actual[k] - expected[k]));
            largest = std::max(largest, std::abs(expected[k]));
        }
        return error == 0 ? 0 : error / largest;
    }

  private:
    Shape shape_;
    std::vector<double> magnitudes_, scores_;
    double largest_;
};

}  // namespace attention
