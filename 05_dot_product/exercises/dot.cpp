// What the exercises check with whose dot(a, b, n, result) adds up floats. Their check.cpp includes it: reports take
// the names of arrays from the lines of .cpp files.

#include "checker.h"

#include <cmath>

void dot(const float* a, const float* b, int n, float* result);

using namespace exercise;

namespace {

void multiply_and_compare(int n) {
    Input<float> a("a", similar_values<float>(n));
    Input<float> b("b", similar_values<float>(n));
    Output<float> result("result", 1);

    dot(a.data(), b.data(), n, result.data());
    finish();

    double expected = 0, magnitude = 0;
    for (int i = 0; i < n; ++i) {
        expected += double{a.values[i]} * b.values[i];
        magnitude += std::abs(double{a.values[i]} * b.values[i]);
    }
    // Each product takes part in 64 roundings at most. A product that is missing is 1 or more.
    require_near("result", result.values()[0], expected, 64 * magnitude / (1 << 24));
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace
