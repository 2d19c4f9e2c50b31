#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hash_table.h"

// The pairs that the program stores and the keys that it looks for.
namespace hash_table {

struct Input {
    std::vector<Key> keys;
    std::vector<Value> values;
    std::vector<Key> queries;  ///< every even one is one of the keys, every odd one is none of them
};

/// n random keys, a value for each, and `finds` keys to find.
Input make_input(std::size_t n, std::size_t finds, std::uint64_t seed);

/// Throws wrong_result, naming the stage, unless each found[i] is right for queries[i].
void verify_finds(std::string_view stage, const Input& input, std::span<const Value> found);

}  // namespace hash_table
