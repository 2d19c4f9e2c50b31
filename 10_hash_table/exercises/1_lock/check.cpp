#include "checker.h"

#include <algorithm>

using namespace exercise;

void two_largest(const unsigned* keys, int n, int buckets, unsigned* largest, int* locks);

namespace {

std::size_t used = 0;  // locks, in the call that is counted

void offer_and_compare(const std::vector<unsigned>& numbers, int buckets) {
    Input<unsigned> keys("keys", numbers);
    Output<unsigned> largest("largest", 2 * static_cast<std::size_t>(buckets));
    Output<int> locks("locks", static_cast<std::size_t>(buckets));

    two_largest(keys.data(), static_cast<int>(numbers.size()), buckets, largest.data(), locks.data());
    finish();

    std::vector<unsigned> expected(2 * static_cast<std::size_t>(buckets));
    for (const unsigned key : numbers) {
        unsigned* two = &expected[2 * (key % static_cast<unsigned>(buckets))];
        two[1] = std::max(two[1], std::min(two[0], key));
        two[0] = std::max(two[0], key);
    }
    used = read_by_kernels(locks.data(), sizeof(int) * static_cast<std::size_t>(buckets)) / sizeof(int);
    largest.require_same(expected);
    keys.require_unchanged();
}

std::vector<unsigned> rising_keys(int n) {
    std::vector<unsigned> keys = random_values<unsigned>(static_cast<std::size_t>(n));
    std::sort(keys.begin(), keys.end());
    return keys;
}

// Eight different ones: the largest of a bucket comes more than once.
std::vector<unsigned> few_keys(int n) {
    std::vector<unsigned> keys = random_values<unsigned>(static_cast<std::size_t>(n));
    for (unsigned& key : keys) key %= 8;
    return keys;
}

}  // namespace

void check() {
    require_acquire_fences();
    interleave_atomics();
    const std::vector<int> sizes{0, 1, 2, 31, 32, 33, 127, 128, 129, 600};
    for_sizes(
        sizes, [](int n) { offer_and_compare(random_values<unsigned>(static_cast<std::size_t>(n)), 37); },
        "37 buckets");
    for_sizes(
        sizes, [](int n) { offer_and_compare(rising_keys(n), 3); }, "3 buckets");
    for_sizes(
        {1061}, [](int n) { offer_and_compare(rising_keys(n), 64); }, "64 buckets");  // more than are counted
    for_sizes(
        {1, 32, 200}, [](int n) { offer_and_compare(random_values<unsigned>(static_cast<std::size_t>(n)), 1); },
        "1 bucket");
    for_sizes(
        {2, 33, 200}, [](int n) { offer_and_compare(few_keys(n), 2); }, "2 buckets, many keys equal");
}

void counted() {
    offer_and_compare(random_values<unsigned>(1024), 64);
    require(used >= 32, "of 64 locks, threads asked for " + std::to_string(used) + ": each bucket has its own");
}
