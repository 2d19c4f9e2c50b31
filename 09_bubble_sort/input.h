#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The values that the program sorts.
namespace bubble_sort {

inline constexpr std::string_view kinds[] = {"shuffled", "random", "sorted", "reversed", "equal", "few", "special"};

/// n values of a kind, T float or int. shuffled: 0 to n - 1. random: of any size, both signs. sorted, reversed: random
/// ones in order and backwards. equal: all the same. few: ten different ones. special: random ones with zeros,
/// infinities and NaNs of both signs among them; for ints with the smallest, the largest and 0.
template <class T>
std::vector<T> make_values(std::string_view kind, std::size_t n, std::uint64_t seed);

}  // namespace bubble_sort
