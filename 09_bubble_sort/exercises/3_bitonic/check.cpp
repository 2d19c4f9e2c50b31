#include "checker.h"

#include <algorithm>

using namespace exercise;

void sort_rows(const unsigned* in, unsigned* out, int n);

namespace {

void sort_and_compare(std::vector<unsigned> numbers) {
    Input<unsigned> in("in", numbers);
    Output<unsigned> out("out", numbers.size());

    sort_rows(in.data(), out.data(), static_cast<int>(numbers.size()));
    finish();

    for (std::size_t first = 0; first < numbers.size(); first += 32)
        std::sort(numbers.begin() + static_cast<long>(first),
                  numbers.begin() + static_cast<long>(std::min(first + 32, numbers.size())));
    out.require_same(numbers);
    in.require_unchanged();
}

// Each several times in a row, the largest and the smallest number there is among them.
std::vector<unsigned> repeated_numbers(std::size_t n) {
    std::vector<unsigned> numbers = random_values<unsigned>(n);
    for (unsigned& number : numbers) number = number % 5 < 4 ? number % 5 : ~0u;
    return numbers;
}

}  // namespace

void check() {
    for_each_size([](int n) { sort_and_compare(random_values<unsigned>(n)); }, {2, 63, 64, 65});
    for_sizes(
        {31, 32, 257, 1009}, [](int n) { sort_and_compare(repeated_numbers(n)); }, "five different numbers");
}

void counted() {
    sort_and_compare(random_values<unsigned>(1 << 13));
}
