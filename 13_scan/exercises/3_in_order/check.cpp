#include "checker.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

using namespace exercise;

void keep_in_order(const float* values, int n, float* kept, int* count, int* places);

namespace {

// What lies behind the first `many` is as it was before the call: each byte is 0xff.
void require_untouched_behind(long many, const std::vector<float>& kept) {
    const auto changed =
        std::find_if(kept.begin() + many, kept.end(), [](float x) { return std::bit_cast<unsigned>(x) != ~0u; });
    require(changed == kept.end(), "kept[" + std::to_string(changed - kept.begin()) +
                                       "] was changed: " + std::to_string(many) +
                                       " floats are kept, and what lies behind them stays as it was");
}

void keep_and_compare(const std::vector<float>& numbers) {
    const auto n = static_cast<int>(numbers.size());
    Input<float> values("values", numbers);
    Output<float> kept("kept", numbers.size());
    Output<int> count("count", 1);
    Output<int> places("places", numbers.size());

    keep_in_order(values.data(), n, kept.data(), count.data(), places.data());
    finish();

    std::vector<float> expected;
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(expected), [](float x) { return x > 0; });
    const auto many = static_cast<int>(expected.size());
    count.require_same({many});
    const std::vector<float> got = kept.values();
    require_same("kept", std::vector<float>(got.begin(), got.begin() + many), expected);
    require_untouched_behind(many, got);
    const std::vector<float> now = values.now();
    require(std::memcmp(now.data(), numbers.data(), numbers.size() * sizeof(float)) == 0, "values was changed");
}

// Long rows of one sign: tiles of which nothing is kept, and tiles of which all
// is.
std::vector<float> rows(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::copysign(values[i], i / 300 % 2 == 0 ? -1.0f : 1.0f);
    return values;
}

// Zeros of both signs, NaN, infinities, and values that an int cannot tell from
// 0.
std::vector<float> special(std::size_t n) {
    constexpr float infinity = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
    const float kinds[] = {0, -0.0f, std::nanf(""), infinity, -infinity, tiny, -tiny, 0.25f, -0.25f};
    std::vector<float> values = distinct_values<float>(n);
    const std::vector<std::uint8_t> random = random_bytes(n);
    for (std::size_t i = 0; i < n; ++i)
        if (random[i] < 200) values[i] = kinds[random[i] % std::size(kinds)];
    return values;
}

}  // namespace

void check() {
    for_each_size([](int n) { keep_and_compare(distinct_values<float>(n)); });
    for_sizes(
        {33, 257, 10'000}, [](int n) { keep_and_compare(rows(n)); }, "rows of one sign");
    for_sizes(
        {33, 257, 1009}, [](int n) { keep_and_compare(special(n)); }, "zeros and NaN among them");
}

void counted() {
    keep_and_compare(distinct_values<float>(1 << 14));
}
