// The code that all tables share, and their verification.

#include <algorithm>
#include <random>
#include <string>
#include <tuple>

#include "common/verify.h"
#include "harness/program.h"
#include "harness/text.h"
#include "hash_table.h"

namespace hash_table {
namespace {

constexpr std::size_t most = std::size_t{1} << 30;  // so that indices into tables with gaps have 32 bits

/// Mixes the bits: each bit of x affects all 64 of the result (splitmix64's finaliser, Sebastiano Vigna).
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/// A hash of a multiset of pairs, which does not depend on their order. Two multisets that differ have the same hash
/// with a probability of 2^-64.
class Fingerprint {
  public:
    void add(Pair pair) { sum_ += mixed((std::uint64_t{pair.key} << 32 | pair.value) + salt_); }
    bool operator==(const Fingerprint& other) const { return sum_ == other.sum_; }

  private:
    inline static const std::uint64_t salt_ = mixed(std::random_device{}());
    std::uint64_t sum_ = 0;
};

std::string text(Pair pair) {
    return "key " + std::to_string(pair.key) + " with value " + std::to_string(pair.value);
}

/// Throws wrong_result, which names the first pair that differs.
[[noreturn]] void throw_difference(const std::string& stage, std::vector<Pair> actual, std::vector<Pair> expected) {
    const auto by_key = [](const Pair& a, const Pair& b) {
        return std::tie(a.key, a.value) < std::tie(b.key, b.value);
    };
    std::sort(actual.begin(), actual.end(), by_key);
    std::sort(expected.begin(), expected.end(), by_key);
    const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin());
    throw wrong_result(stage + " is wrong: of all pairs in order, number " + std::to_string(a - actual.begin()) +
                       " should be " + text(*e) + ", and is " + text(*a));
}

}  // namespace

Table::Table(std::size_t buckets, std::size_t capacity)
    : buckets_(static_cast<unsigned>(buckets)), capacity_(capacity) {
    if (buckets == 0 || buckets > most)
        throw usage_error("a hash table has 1 to 2^30 buckets, not " + std::to_string(buckets));
    if (capacity == 0 || capacity > most)
        throw usage_error("a hash table has room for 1 to 2^30 elements, not " + std::to_string(capacity));
}

void Table::build(const Key* keys, const Value* values, std::size_t n) {
    if (n > capacity_)
        throw usage_error("the table is too small: " + std::to_string(n) + " elements, and room for " +
                          std::to_string(capacity_));
    insert_all(keys, values, n);
    size_ = n;
}

void verify_table(std::string_view stage, const Contents& contents, std::span<const Key> keys,
                  std::span<const Value> values) {
    const std::string name(stage);
    const auto buckets = static_cast<unsigned>(contents.begin.size() - 1);
    if (contents.pairs.size() != keys.size())
        throw wrong_result(name + " is wrong: " + with_separators(contents.pairs.size()) +
                           " elements found in the hash table, should be " + with_separators(keys.size()));
    Fingerprint actual, expected;
    for (unsigned bucket = 0; bucket < buckets; ++bucket)
        for (std::size_t i = contents.begin[bucket]; i < contents.begin[bucket + 1]; ++i) {
            const Pair pair = contents.pairs[i];
            if (bucket_of(pair.key, buckets) != bucket)
                throw wrong_result(name + " is wrong: " + text(pair) + " hashes to bucket " +
                                   std::to_string(bucket_of(pair.key, buckets)) + ", and is in bucket " +
                                   std::to_string(bucket));
            actual.add(pair);
        }
    for (std::size_t i = 0; i < keys.size(); ++i) expected.add({keys[i], values[i]});
    if (actual == expected) return;

    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < keys.size(); ++i) pairs.push_back({keys[i], values[i]});
    throw_difference(name, contents.pairs, std::move(pairs));
}

}  // namespace hash_table
