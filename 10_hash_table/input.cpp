#include "input.h"

#include <random>
#include <string>

#include "common/verify.h"

namespace hash_table {
namespace {

// The value stored with key i is i · factor mod 2^32. It tells i, as `inverse` undoes it: no search to verify a find.
constexpr Value factor = 2654435769u, inverse = 340573321u;
static_assert(factor * inverse == 1);

Key random_key(std::mt19937_64& generator) {
    return static_cast<Key>(generator() >> 32);
}

std::vector<Key> random_keys(std::size_t n, std::mt19937_64& generator) {
    std::vector<Key> keys(n);
    for (Key& key : keys) key = random_key(generator);
    return keys;
}

std::vector<Key> keys_to_find(std::size_t n, const std::vector<Key>& keys, std::mt19937_64& generator) {
    constexpr Key mask = (1 << 28) - 1;
    std::vector<bool> seen(std::size_t{mask} + 1);  // is there a key with these lower bits? If not, it is absent
    for (const Key key : keys) seen[key & mask] = true;
    std::vector<Key> queries = random_keys(n, generator);
    for (std::size_t i = 0; i < n; ++i)
        if (i % 2 == 0)
            queries[i] = keys[queries[i] % keys.size()];
        else
            while (seen[queries[i] & mask]) queries[i] = random_key(generator);
    return queries;
}

}  // namespace

Input make_input(std::size_t n, std::size_t finds, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    Input input{.keys = random_keys(n, generator), .values = std::vector<Value>(n), .queries = {}};
    for (std::size_t i = 0; i < n; ++i) input.values[i] = static_cast<Value>(i) * factor;
    input.queries = keys_to_find(finds, input.keys, generator);
    return input;
}

void verify_finds(std::string_view stage, const Input& input, std::span<const Value> found) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_absent = i % 2 == 1;
        const std::size_t row = found[i] * inverse;
        const bool right =
            is_absent ? found[i] == absent : row < input.keys.size() && input.keys[row] == input.queries[i];
        if (!right)
            throw wrong_result(std::string(stage) + " is wrong at find " + std::to_string(i) + ": key " +
                               std::to_string(input.queries[i]) + (is_absent ? " is absent" : " is there") +
                               ", and the value found is " + std::to_string(found[i]));
    }
}

}  // namespace hash_table
