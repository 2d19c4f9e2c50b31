#include "checker.h"

#include <algorithm>

using namespace exercise;

void merge_sorted(const unsigned* a, int a_size, const unsigned* b, int b_size, unsigned* out);

namespace {

void merge_and_compare(std::vector<unsigned> a_numbers, std::vector<unsigned> b_numbers) {
    std::sort(a_numbers.begin(), a_numbers.end());
    std::sort(b_numbers.begin(), b_numbers.end());
    Input<unsigned> a("a", a_numbers);
    Input<unsigned> b("b", b_numbers);
    Output<unsigned> out("out", a_numbers.size() + b_numbers.size());

    merge_sorted(a.data(), static_cast<int>(a_numbers.size()), b.data(), static_cast<int>(b_numbers.size()),
                 out.data());
    finish();

    std::vector<unsigned> expected(a_numbers.size() + b_numbers.size());
    std::merge(a_numbers.begin(), a_numbers.end(), b_numbers.begin(), b_numbers.end(), expected.begin());
    out.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

std::vector<unsigned> numbers(int n, unsigned different) {
    std::vector<unsigned> values = random_values<unsigned>(static_cast<std::size_t>(n));
    if (different > 0)
        for (unsigned& value : values) value %= different;
    return values;
}

// 0xffffffff and some below it.
std::vector<unsigned> largest(int n) {
    std::vector<unsigned> values = numbers(n, 3);
    for (unsigned& value : values) value = ~value;
    return values;
}

void for_all_sizes(unsigned different, const std::string& data) {
    const std::vector<int> sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 1033};  // two of them: more than are counted
    for_sizes(
        sizes, [=](int n) { merge_and_compare(numbers(n, different), numbers(n, different)); }, data + " in a and b");
    for_sizes(
        sizes, [=](int n) { merge_and_compare(numbers(n, different), numbers(n / 7, different)); },
        data + " in a, a seventh in b");
    for_sizes(
        {1, 33, 257, 600}, [=](int n) { merge_and_compare(numbers(0, different), numbers(n, different)); },
        data + " in b, none in a");
}

}  // namespace

void check() {
    for_all_sizes(0, "numbers");
    for_all_sizes(9, "numbers, many of them equal,");
    for_sizes(
        {1, 33, 600}, [](int n) { merge_and_compare(largest(n), largest(n)); }, "the largest numbers in a and b");
}

void counted() {
    merge_and_compare(numbers(1024, 16), numbers(1024, 16));  // to walk past equal ones takes 64 loads
}
