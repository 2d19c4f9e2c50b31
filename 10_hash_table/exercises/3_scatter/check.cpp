#include "checker.h"

#include <algorithm>

using namespace exercise;

void partition(const unsigned* keys, int n, int* begin, unsigned* out);

namespace {

constexpr unsigned buckets = 256;

void partition_and_compare(std::vector<unsigned> numbers) {
    Input<unsigned> keys("keys", numbers);
    Output<int> begin("begin", buckets + 1);
    Output<unsigned> out("out", numbers.size());

    partition(keys.data(), static_cast<int>(numbers.size()), begin.data(), out.data());
    finish();

    std::vector<int> expected(buckets + 1);
    for (const unsigned key : numbers) ++expected[key % buckets + 1];
    for (unsigned b = 0; b < buckets; ++b) expected[b + 1] += expected[b];
    begin.require_same(expected);

    // Within a bucket in any order: sorted, so that they can be compared.
    const auto by_bucket = [](unsigned a, unsigned b) { return a % buckets < b % buckets; };
    std::sort(numbers.begin(), numbers.end());
    std::stable_sort(numbers.begin(), numbers.end(), by_bucket);
    std::vector<unsigned> got = out.values();
    for (unsigned b = 0; b < buckets; ++b) std::sort(got.begin() + expected[b], got.begin() + expected[b + 1]);
    require_same("out, each bucket sorted: ", got, numbers);
    keys.require_unchanged();
}

// Many in the first and the last bucket, and most of the others empty; some keys twice in a row; the least key and the
// largest.
std::vector<unsigned> skewed_keys(std::size_t n) {
    std::vector<unsigned> keys = random_values<unsigned>(n);
    for (unsigned& key : keys)
        if (key % 8 != 0) key = (key & ~255u) | (key % 2 == 0 ? 255 : 0);
    for (std::size_t i = 5; i < n; i += 5) keys[i] = keys[i - 1];
    if (n > 2) keys[1] = 0, keys[2] = ~0u;
    return keys;
}

}  // namespace

void check() {
    interleave_atomics();
    const std::vector<int> sizes{0, 1, 2, 31, 33, 255, 256, 257, 1009, 20'011};
    for_sizes(sizes, [](int n) { partition_and_compare(random_values<unsigned>(static_cast<std::size_t>(n))); });
    for_sizes(
        sizes, [](int n) { partition_and_compare(skewed_keys(static_cast<std::size_t>(n))); }, "few buckets");
}

void counted() {
    partition_and_compare(random_values<unsigned>(1 << 12));
}
