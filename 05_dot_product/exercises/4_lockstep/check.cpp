#include "checker.h"

#include <cmath>

using namespace exercise;

void dot(const float* a, const float* b, int n, float* result);

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

void check() {
    interleave_atomics();
    for_each_size(multiply_and_compare);
}

void counted() {
    multiply_and_compare(1 << 14);
}
