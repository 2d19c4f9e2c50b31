#include "wave.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>

#include "harness/program.h"

namespace wave {

Wave::Wave(std::span<const int> sides, double centre, double neighbour) {
    for (const int side : sides) {
        sines_.emplace_back(side, 0.0);
        for (int i = 1; i < side - 1; ++i) sines_.back()[i] = std::sin(std::numbers::pi * i / (side - 1));
    }
    if (std::ranges::any_of(sides, [](int side) { return side < 3; })) return;
    decay_ = centre;
    for (const int side : sides) decay_ += 2 * neighbour * std::cos(std::numbers::pi / (side - 1));
}

double Wave::value(std::size_t i, double height) const {
    for (const std::vector<double>& sines : sines_) {
        height *= sines[i % sines.size()];
        i /= sines.size();
    }
    return 1 + height;
}

std::vector<float> Wave::at_start() const {
    std::size_t n = 1;
    for (const auto& sines : sines_) n *= sines.size();
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(value(i, 1));
    return values;
}

double Wave::largest_error(std::string_view stage, std::span<const float> values, int steps) const {
    constexpr double rounding = std::numeric_limits<float>::epsilon() / 2;
    const double roundings = 1 + (2.0 * sines_.size() + 1) * steps;  // the first one is that of the start
    const double bound = std::expm1(roundings * std::log1p(rounding));
    const double height = std::pow(decay_, steps);
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = value(i, height), error = std::abs(values[i] - expected) / expected;
        if (!(error <= bound)) {
            std::ostringstream text;
            text.precision(9);
            text << stage << " is wrong at index " << i << ": expected " << expected << " within " << bound * expected
                 << ", got " << values[i];
            throw wrong_result(text.str());
        }
        largest = std::max(largest, error);
    }
    return largest;
}

}  // namespace wave
