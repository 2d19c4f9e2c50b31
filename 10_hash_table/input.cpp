#include "input.h"

#include <random>
#include <string>

#include "common/verify.h"

namespace hash_table {
namespace {

// The value stored with key i is i · factor mod 2^32. It tells i, as `inverse` undoes it: no search to verify a find.
constexpr Value factor = 2654435769u, inverse = 340573321u;
static_assert(factor * inverse == 1);

/// Makes random multiples of `step`.
struct RandomKeys {
    Key operator()() { return static_cast<Key>(generator() >> 32) / step * step; }

    std::vector<Key> operator()(std::size_t n) {
        std::vector<Key> keys(n);
        for (Key& key : keys) key = (*this)();
        return keys;
    }

    std::mt19937_64 generator;
    Key step;
};

std::vector<Key> keys_to_find(std::size_t n, const std::vector<Key>& keys, RandomKeys& random) {
    constexpr Key mask = (1 << 28) - 1;
    // Is there a key whose quotient has these lower bits? If not, it is absent.
    std::vector<bool> seen(std::size_t{mask} + 1);
    for (const Key key : keys) seen[key / random.step & mask] = true;
    std::vector<Key> queries = random(n);
    for (std::size_t i = 0; i < n; ++i)
        if (i % 2 == 0)
            queries[i] = keys[queries[i] / random.step % keys.size()];
        else
            while (seen[queries[i] / random.step & mask]) queries[i] = random();
    return queries;
}

}  // namespace

Input make_input(std::string_view kind, std::size_t n, std::size_t finds, std::uint64_t seed) {
    RandomKeys random{std::mt19937_64(seed), kind == "multiples" ? step : 1};
    Input input{.keys = random(n), .values = std::vector<Value>(n), .queries = {}};
    for (std::size_t i = 0; i < n; ++i) input.values[i] = static_cast<Value>(i) * factor;
    input.queries = keys_to_find(finds, input.keys, random);
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
