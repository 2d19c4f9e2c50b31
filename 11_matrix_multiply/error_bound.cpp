#include <algorithm>
#include <cmath>

#include "error_bound.h"

namespace matrix_multiply {
namespace {

double gamma(std::size_t k, double u) {
    const double ku = static_cast<double>(k) * u;
    return ku / (1 - ku);
}

}  // namespace

ErrorBound::ErrorBound(std::span<const float> a, std::span<const float> b, Shape shape, Sums sums)
    : row_lengths_(shape.m),
      column_lengths_(shape.n),
      // The last factor is for the roundings of this bound's own computation.
      relative_((gamma(shape.k, sums == Sums::rounded ? 0x1p-24 : 0x1p-23) + gamma(shape.k, 0x1p-53)) * (1 + 1e-9)),
      underflow_(2 * 0x1p-150 * static_cast<double>(shape.k)) {
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t l = 0; l < shape.k; ++l) row_lengths_[i] += std::pow(double{a[i * shape.k + l]}, 2);
    for (std::size_t l = 0; l < shape.k; ++l)
        for (std::size_t j = 0; j < shape.n; ++j) column_lengths_[j] += std::pow(double{b[l * shape.n + j]}, 2);
    const auto square_root = [](double x) { return std::sqrt(x); };
    std::transform(row_lengths_.begin(), row_lengths_.end(), row_lengths_.begin(), square_root);
    std::transform(column_lengths_.begin(), column_lengths_.end(), column_lengths_.begin(), square_root);
}

ErrorBound ErrorBound::of_rounded_factors(std::span<const float> a, std::span<const float> b, Shape shape,
                                          unsigned fraction_bits) {
    ErrorBound bound(a, b, shape);
    const double u = std::ldexp(0.5, -static_cast<int>(fraction_bits));
    // Both products are computed in double.
    bound.relative_ = (2 * u + u * u + 3 * gamma(shape.k, 0x1p-53)) * (1 + 1e-9);
    return bound;
}

}  // namespace matrix_multiply
