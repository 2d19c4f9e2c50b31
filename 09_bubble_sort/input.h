#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// What the program sorts.
namespace bubble_sort {

inline constexpr std::string_view kinds[] = {"shuffled", "random", "sorted", "reversed", "equal", "few", "special"};

/// n values of a kind, T float or int. shuffled: 0 to n - 1, as in the notes. random: of any size, both signs. sorted,
/// reversed: those in order and backwards. equal: all the same. few: ten different ones. special: random ones with
/// zeros, infinities and NaNs of both signs among them; for ints the smallest, the largest and 0.
template <class T>
std::vector<T> make_values(std::string_view kind, std::size_t n, std::uint64_t seed);

}  // namespace bubble_sort
