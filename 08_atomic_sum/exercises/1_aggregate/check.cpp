#include "checker.h"

#include <climits>

using namespace exercise;

void sum(const int* values, int n, unsigned long long* result);

namespace {

void add_and_compare(const std::vector<int>& numbers) {
    Input<int> values("values", numbers);
    Output<unsigned long long> result("result", 1);

    sum(values.data(), static_cast<int>(numbers.size()), result.data());
    finish();

    long long expected = 0;
    for (const int number : numbers) expected += number;
    require_same("result", std::vector{static_cast<long long>(result.values()[0])}, {expected});
    values.require_unchanged();
}

// The sum of a few dozen of these does not fit into 32 bits.
std::vector<int> large_numbers(std::size_t n) {
    std::vector<int> numbers = random_values<int>(n);
    for (int& number : numbers) number = (number & 0x3fff'ffff) | 0x4000'0000;
    return numbers;
}

// Of any size, the least and the largest among them.
std::vector<int> any_numbers(std::size_t n) {
    std::vector<int> numbers = random_values<int>(n);
    if (n > 1) numbers[n / 2] = INT_MIN, numbers[n / 2 - 1] = INT_MAX;
    return numbers;
}

}  // namespace

void check() {
    for_each_size([](int n) { add_and_compare(any_numbers(n)); }, {70'001});
    for_each_size([](int n) { add_and_compare(large_numbers(n)); });
}

void counted() {
    add_and_compare(random_values<int>(1 << 16));
}
