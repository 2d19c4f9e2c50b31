#pragma once

#include <vector>

// The phases of odd-even transposition, as text.
namespace bubble_sort {

inline constexpr std::size_t longest_trace = 40;

/// Prints the values, and again after each phase; the pairs that were compared are in parentheses. T: float or int.
template <class T>
void print_phases(std::vector<T> values);

}  // namespace bubble_sort
