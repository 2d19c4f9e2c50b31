#include "checker.h"

#include <algorithm>
#include <map>

using namespace exercise;

void find_all(const int* begin, int buckets, const unsigned* keys, const unsigned* values, const unsigned* wanted,
              int n, unsigned* found);

namespace {

struct Table {
    std::vector<int> begin;
    std::vector<unsigned> keys, values;
};

// n keys, no two of them equal, with random values.
Table table_of(std::size_t n, unsigned buckets) {
    std::map<unsigned, unsigned> pairs;
    for (const unsigned key : random_values<unsigned>(n)) pairs[key] = 0;
    const std::vector<unsigned> random = random_values<unsigned>(pairs.size());
    std::vector<std::pair<unsigned, unsigned>> shuffled;  // by the random values
    for (auto& [key, value] : pairs) {
        value = std::max(1u, random[shuffled.size()]);
        shuffled.emplace_back(value, key);
    }
    std::sort(shuffled.begin(), shuffled.end());
    std::stable_sort(shuffled.begin(), shuffled.end(),
                     [=](const auto& a, const auto& b) { return a.second % buckets < b.second % buckets; });
    Table table{std::vector<int>(buckets + 1), {}, {}};
    for (const auto& [value, key] : shuffled) {
        table.keys.push_back(key);
        table.values.push_back(value);
        ++table.begin[key % buckets + 1];
    }
    for (unsigned b = 0; b < buckets; ++b) table.begin[b + 1] += table.begin[b];
    return table;
}

// Half of them are in the table, its last key among them. Absent are also 0 and the largest number, which a lane that
// has no key may hold in its place.
std::vector<unsigned> wanted_keys(const Table& table, std::size_t n) {
    std::vector<unsigned> wanted = random_values<unsigned>(n);
    for (std::size_t i = 0; i < n && !table.keys.empty(); ++i)
        if (i % 2 == 0) wanted[i] = table.keys[i == 0 ? table.keys.size() - 1 : wanted[i] % table.keys.size()];
    if (n > 1) wanted[1] = 0;
    if (n > 3) wanted[3] = ~0u;
    return wanted;
}

void find_and_compare(std::size_t size, unsigned buckets, int n) {
    const Table table = table_of(size, buckets);
    Input<int> begin("begin", table.begin);
    Input<unsigned> keys("keys", table.keys);
    Input<unsigned> values("values", table.values);
    Input<unsigned> wanted("wanted", wanted_keys(table, static_cast<std::size_t>(n)));
    Output<unsigned> found("found", static_cast<std::size_t>(n));

    find_all(begin.data(), static_cast<int>(buckets), keys.data(), values.data(), wanted.data(), n, found.data());
    finish();

    std::map<unsigned, unsigned> pairs;
    for (std::size_t k = 0; k < table.keys.size(); ++k) pairs[table.keys[k]] = table.values[k];
    std::vector<unsigned> expected;
    for (const unsigned key : wanted.values) expected.push_back(pairs.contains(key) ? pairs[key] : 0);
    found.require_same(expected);
    begin.require_unchanged();
    keys.require_unchanged();
    values.require_unchanged();
    wanted.require_unchanged();
}

}  // namespace

void check() {
    const std::vector<int> sizes{0, 1, 2, 3, 5, 31, 32, 33, 257, 1009};
    for_sizes(
        sizes, [](int n) { find_and_compare(3000, 47, n); }, "64 keys in a bucket");
    for_sizes(
        sizes, [](int n) { find_and_compare(300, 101, n); }, "3 keys in a bucket");
    for_sizes(
        {1, 2, 33}, [](int n) { find_and_compare(100, 1, n); }, "one bucket");
    for_sizes(
        {1, 33}, [](int n) { find_and_compare(0, 5, n); }, "an empty table");
}

void counted() {
    find_and_compare(16'000, 64, 256);
}
