#include "checker.h"

#include <algorithm>

using namespace exercise;

void odd_even_sort(const int* in, int* out, int n);

namespace {

void sort_and_compare(std::vector<int> numbers) {
    Input<int> in("in", numbers);
    Output<int> out("out", numbers.size());

    odd_even_sort(in.data(), out.data(), static_cast<int>(numbers.size()));
    finish();

    std::sort(numbers.begin(), numbers.end());
    out.require_same(numbers);
    in.require_unchanged();
}

std::vector<int> falling_values(std::size_t n) {
    std::vector<int> values = random_values<int>(n);
    std::sort(values.rbegin(), values.rend());
    return values;
}

// In order, but for one: the smallest has the whole way to go.
std::vector<int> smallest_last(std::size_t n) {
    std::vector<int> values = random_values<int>(n);
    std::sort(values.begin(), values.end());
    if (n > 0) std::rotate(values.begin(), values.begin() + 1, values.end());
    return values;
}

std::vector<int> repeated_values(std::size_t n) {
    std::vector<int> values = random_values<int>(n);
    for (int& value : values) value %= 3;
    return values;
}

}  // namespace

void check() {
    for_sizes({0, 1, 2, 3, 31, 32, 33, 257, 511, 512, 513, 1009},
              [](int n) { sort_and_compare(random_values<int>(n)); });
    for_sizes({2500}, [](int n) { sort_and_compare(random_values<int>(n)); });  // more pairs than a block has threads
    const std::vector<int> sizes{2, 3, 4, 5, 33, 257, 700};
    for_sizes(
        sizes, [](int n) { sort_and_compare(falling_values(n)); }, "in reverse order");
    for_sizes(
        sizes, [](int n) { sort_and_compare(smallest_last(n)); }, "the smallest value last");
    for_sizes(
        sizes, [](int n) { sort_and_compare(repeated_values(n)); }, "three different values");
}

void counted() {
    sort_and_compare(random_values<int>(1024));
    constexpr unsigned long few = 32;  // without a loop that waits, only a block that was interrupted comes back
    require(
        call().turns_of_blocks < few,
        "blocks wait for each other within a launch that is not cooperative: a GPU may begin one only when others have "
        "ended. The end of a launch is the barrier for all of its blocks, or grid.sync() in a cooperative launch");
}
