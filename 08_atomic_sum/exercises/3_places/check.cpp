#include "checker.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

using namespace exercise;

void keep_positive(const float* values, int n, float* kept, int* count);

namespace {

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// In any order: sorted, so that they can be compared.
std::vector<float> sorted(std::vector<float> values) {
    std::sort(values.begin(), values.end(), [](float a, float b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    return values;
}

// What lies behind the first `many` is as it was before the call: each byte is 0xff.
void require_untouched_behind(long many, const std::vector<float>& kept) {
    const auto changed =
        std::find_if(kept.begin() + many, kept.end(), [](float x) { return std::bit_cast<unsigned>(x) != ~0u; });
    require(changed == kept.end(), "kept[" + std::to_string(changed - kept.begin()) +
                                       "] was changed: " + std::to_string(many) +
                                       " floats are kept, and what lies behind them stays as it was");
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
    require(same_bits(values.now(), numbers), "values was changed");
    require_untouched_behind(many, got);
}

// Long rows of one sign: warps that keep everything, and warps that keep nothing.
std::vector<float> rows(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::copysign(values[i], i / 96 % 2 == 0 ? 1.0f : -1.0f);
    return values;
}

// Zeros of both signs, NaN of both signs, infinities, and values that an int cannot tell from 0.
std::vector<float> special(std::size_t n) {
    constexpr float infinity = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
    const float nan = std::nanf("");
    const float kinds[] = {0, -0.0f, nan, -nan, infinity, -infinity, tiny, -tiny, 0.25f, -0.25f};
    std::vector<float> values = distinct_values<float>(n);
    const std::vector<std::uint8_t> random = random_bytes(n);
    for (std::size_t i = 0; i < n; ++i)
        if (random[i] < 200) values[i] = kinds[random[i] % std::size(kinds)];
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
    for_each_size([](int n) { keep_and_compare(distinct_values<float>(n)); }, {70'001});
    for_each_size([](int n) { keep_and_compare(rows(n)); });
    for_each_size([](int n) { keep_and_compare(few(n)); });
    for_sizes(
        {33, 257, 1009}, [](int n) { keep_and_compare(special(n)); }, "zeros and NaN among them");
}

void counted() {
    keep_and_compare(distinct_values<float>(1 << 16));
}
