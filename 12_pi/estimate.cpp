// What a count of hits says of π, and how near to it that should be.

#include <cmath>
#include <numbers>

#include "points.h"

namespace points {

// A point is a hit with the probability p = π/4. n points have n · p hits on average, with a standard deviation of
// √(n · p · (1 - p)); π is four times their share.
Estimate estimate(std::int64_t hits, std::int64_t n) {
    const double p = std::numbers::pi / 4, pi = 4 * static_cast<double>(hits) / static_cast<double>(n);
    return {pi, pi - std::numbers::pi, 4 * std::sqrt(p * (1 - p) / static_cast<double>(n))};
}

}  // namespace points
