#pragma once

#include <bit>
#include <cstddef>

// How often a product is rounded on its way into the result. Each stage adds up its own roundings, from the numbers
// with which it launches: a product's own, then an addition of its thread, of its block and of the grid each.
namespace dot_product {

/// A product's own rounding, the additions to its sum in a thread, which has `sums` of them, and those that make one of
/// these.
constexpr std::size_t in_thread(std::size_t n, std::size_t threads, std::size_t sums = 1) {
    const std::size_t becoming_one = sums == 1 ? 0 : std::bit_width(sums - 1) + 1;  // a rest is added to the first, too
    return 1 + n / (threads * sums) + 1 + becoming_one;
}

/// Where pairs are added, and pairs of their sums: in a block or in a warp.
constexpr std::size_t in_tree(std::size_t values) {
    return std::bit_width(values - 1);
}

}  // namespace dot_product
