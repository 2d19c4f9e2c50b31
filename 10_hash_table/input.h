#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hash_table.h"

// The pairs that the program stores and the keys that it looks for.
namespace hash_table {

/// random: any number of 32 bits. multiples: random multiples of `step`, such as addresses are. Where the number of
/// buckets is one, too, they leave all buckets empty but every step-th, and the lists are as many times as long.
inline constexpr std::string_view kinds[] = {"random", "multiples"};
inline constexpr Key step = 16;

struct Input {
    std::vector<Key> keys;
    std::vector<Value> values;
    std::vector<Key> queries;  ///< every even one is one of the keys, every odd one is none of them
};

/// n keys of a kind, a value for each, and `finds` keys of that kind to find.
Input make_input(std::string_view kind, std::size_t n, std::size_t finds, std::uint64_t seed);

/// Throws wrong_result, naming the stage, unless each found[i] is right for queries[i].
void verify_finds(std::string_view stage, const Input& input, std::span<const Value> found);

}  // namespace hash_table
