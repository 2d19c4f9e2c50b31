#include "checker.h"

#include <algorithm>
#include <cmath>

using namespace exercise;

void keep_positive(const float* values, int n, float* kept, int* count);

namespace {

// In any order: sorted, so that they can be compared.
std::vector<float> sorted(std::vector<float> values) {
    std::sort(values.begin(), values.end(), [](float a, float b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    return values;
}

void keep_and_compare(const std::vector<float>& numbers) {
    Input<float> values("values", numbers);
    Output<float> kept("kept", numbers.size());
    Output<int> count("count", 1);

    keep_positive(values.data(), static_cast<int>(numbers.size()), kept.data(), count.data());
    finish();

    std::vector<float> expected;
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(expected), [](float x) { return x > 0; });
    const auto many = static_cast<long>(expected.size());
    count.require_same({static_cast<int>(many)});
    const std::vector<float> got = kept.values();
    require_same("sorted kept", sorted({got.begin(), got.begin() + many}), sorted(expected));
    values.require_unchanged();
    require_same("untouched elements behind kept",
                 std::vector{static_cast<int>(
                     std::count_if(got.begin() + many, got.end(), [](float x) { return std::isnan(x); }))},
                 {static_cast<int>(got.size()) - static_cast<int>(many)});
}

// Long rows of one sign: warps that keep everything, and warps that keep nothing.
std::vector<float> rows(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::copysign(values[i], i / 96 % 2 == 0 ? 1.0f : -1.0f);
    return values;
}

// One of many is kept, never a warp's first lane.
std::vector<float> few(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::copysign(values[i], i % 32 == 7 ? 1.0f : -1.0f);
    return values;
}

}  // namespace

void check() {
    for_each_size([](int n) { keep_and_compare(distinct_values<float>(n)); });
    for_each_size([](int n) { keep_and_compare(rows(n)); });
    for_each_size([](int n) { keep_and_compare(few(n)); });
}

void counted() {
    keep_and_compare(distinct_values<float>(1 << 16));
}
