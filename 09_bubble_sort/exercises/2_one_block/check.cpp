#include "checker.h"

#include <algorithm>

using namespace exercise;

void sort_small(const int* in, int* out, int n);

namespace {

void sort_and_compare(std::vector<int> numbers) {
    Input<int> in("in", numbers);
    Output<int> out("out", numbers.size());

    sort_small(in.data(), out.data(), static_cast<int>(numbers.size()));
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

}  // namespace

void check() {
    for_sizes({0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1009, 1023, 1024},
              [](int n) { sort_and_compare(random_values<int>(n)); });
    for_sizes(
        {2, 3, 5, 32, 33, 129, 256}, [](int n) { sort_and_compare(falling_values(n)); }, "in reverse order");
    for_sizes(
        {2, 33, 257}, [](int n) { sort_and_compare(random_values<int>(n, 0, 4)); }, "five different numbers");
}

void counted() {
    sort_and_compare(random_values<int>(1024));
}
