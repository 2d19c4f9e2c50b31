#include "checker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace exercise;

void dot(const float* a, const float* b, int n, float* result, void* workspace);

namespace {

// Of each four products two are large and nearly cancel. They have other factors, and are rounded in other ways.
void let_products_cancel(std::vector<float>& a, std::vector<float>& b) {
    for (std::size_t i = 0; i + 3 < a.size(); i += 4) {
        a[i] *= 1000;
        a[i + 1] *= 100;
        b[i + 1] = -a[i] * b[i] / a[i + 1];
    }
}

std::vector<float> in_order(const std::vector<float>& values, const std::vector<int>& order) {
    std::vector<float> ordered;
    for (const int i : order) ordered.push_back(values[i]);
    return ordered;
}

std::vector<int> random_order(int n) {
    const std::vector<float> keys = distinct_values<float>(n);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int j) { return keys[i] < keys[j]; });
    return order;
}

void multiply_and_compare(int n) {
    std::vector<float> first = similar_values<float>(n), second = similar_values<float>(n);
    let_products_cancel(first, second);
    const std::vector<int> order = random_order(n);
    Input<float> a("a", in_order(first, order));
    Input<float> b("b", in_order(second, order));
    Output<double> workspace("workspace", 128);
    Output<float> result("result", 1);

    dot(a.data(), b.data(), n, result.data(), workspace.data());
    finish();

    long double expected = 0, magnitude = 0;
    for (int i = 0; i < n; ++i) {
        const long double product = static_cast<long double>(a.values[i]) * b.values[i];
        expected += product;
        magnitude += std::abs(product);
    }
    // The rounding of the result to a float, and as much again; what two floats or a double lose before is less.
    const double bound = std::ldexp(std::abs(static_cast<double>(expected)), -23) + std::ldexp(magnitude, -41);
    require_near("result", result.values()[0], static_cast<double>(expected), bound);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for_each_size(multiply_and_compare, {100'003});
}

void counted() {
    multiply_and_compare(1 << 14);
}
