// The reference: std::sort(). And odd-even transposition on one thread of the host, one pair after another.

#include <algorithm>
#include <utility>

#include "bubble_sort.h"
#include "keys.h"

namespace bubble_sort {

template <class T>
void cpu(std::span<T> values) {
    std::sort(values.begin(), values.end(), [](T a, T b) { return key_of(a) < key_of(b); });
}

template <class T>
void phase(std::span<T> values, std::size_t first) {
    for (std::size_t k = first; k + 1 < values.size(); k += 2)
        if (key_of(values[k + 1]) < key_of(values[k])) std::swap(values[k], values[k + 1]);
}

/// n phases. The first pair begins with value 0 in even phases, with value 1 in odd ones.
template <class T>
void odd_even(std::span<T> values) {
    for (std::size_t p = 0; p < values.size(); ++p) phase(values, p % 2);
}

template void cpu(std::span<float>);
template void cpu(std::span<int>);
template void phase(std::span<float>, std::size_t);
template void phase(std::span<int>, std::size_t);
template void odd_even(std::span<float>);
template void odd_even(std::span<int>);

}  // namespace bubble_sort
