#include "checker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace exercise;

void find_largest(const float* values, int n, unsigned long long* best);

namespace {

struct Best {
    unsigned index;
    float value;
};

void find_and_compare(const std::vector<float>& numbers) {
    Input<float> values("values", numbers);
    Output<unsigned long long> best("best", 1);

    find_largest(values.data(), static_cast<int>(numbers.size()), best.data());
    finish();

    const auto first = std::max_element(numbers.begin(), numbers.end());
    const bool none = numbers.empty();
    const unsigned long long word = best.values()[0];
    Best got;
    static_assert(sizeof got == sizeof word);
    std::memcpy(&got, &word, sizeof got);
    require_same("value", std::vector{got.value}, {none ? -std::numeric_limits<float>::infinity() : *first});
    require_same("index", std::vector{got.index}, {none ? ~0u : static_cast<unsigned>(first - numbers.begin())});
    values.require_unchanged();
}

// Each larger than those before it: each thread has to offer its own.
std::vector<float> rising_values(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<float> negative_values(std::size_t n) {
    std::vector<float> values = distinct_values<float>(n);
    for (float& value : values) value = -std::abs(value);
    return values;
}

// Each several times, the largest as well.
std::vector<float> repeated_values(std::size_t n) {
    std::vector<float> values(n);
    const std::vector<std::uint8_t> bytes = random_bytes(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = 0.5f + static_cast<float>(bytes[i] % 4);
    return values;
}

}  // namespace

void check() {
    interleave_atomics();
    const std::vector<int> sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 767, 769, 1009, 4099};
    for_sizes(sizes, [](int n) { find_and_compare(distinct_values<float>(n)); });
    for_sizes(
        sizes, [](int n) { find_and_compare(rising_values(n)); }, "each value larger than the one before");
    for_sizes(
        sizes, [](int n) { find_and_compare(negative_values(n)); }, "all values negative");
    for_sizes(
        sizes, [](int n) { find_and_compare(repeated_values(n)); }, "the largest value several times");
    for_sizes(
        {1, 33, 257}, [](int n) { find_and_compare(std::vector(n, -std::numeric_limits<float>::infinity())); },
        "all values -infinity");
}

void counted() {
    find_and_compare(distinct_values<float>(1 << 12));
}
