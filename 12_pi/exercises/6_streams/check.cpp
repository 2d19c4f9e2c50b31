#include "checker.h"

#include <cstdint>

using namespace exercise;

void count_hits(unsigned seed, long long n, unsigned long long* hits);

namespace {

bool is_hit(std::uint32_t seed, std::uint64_t counter) {
    std::uint32_t words[4] = {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0};
    std::uint32_t key[2] = {seed, 0};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p = std::uint64_t{0xD2511F53} * words[0], q = std::uint64_t{0xCD9E8D57} * words[2];
        const auto first = static_cast<std::uint32_t>(q >> 32) ^ words[1] ^ key[0];
        const auto third = static_cast<std::uint32_t>(p >> 32) ^ words[3] ^ key[1];
        words[0] = first, words[1] = static_cast<std::uint32_t>(q);
        words[2] = third, words[3] = static_cast<std::uint32_t>(p);
        key[0] += 0x9E3779B9, key[1] += 0xBB67AE85;
    }
    const double x = words[0] * 0x1p-32, y = words[1] * 0x1p-32;
    return x * x + y * y < 1;
}

void count_and_compare(int n) {
    const unsigned seed = random_values<unsigned>(1)[0];
    DeviceBuffer<unsigned long long> hits(1);
    hits.poison();
    asked_for_on_device(hits.data(), sizeof(unsigned long long));

    count_hits(seed, n, hits.data());
    finish();

    unsigned long long expected = 0;
    for (int counter = 0; counter < n; ++counter) expected += is_hit(seed, counter);
    const unsigned long long got = hits.to_host()[0];
    const std::string says = "hits is " + std::to_string(got) + ", and the points of the " + std::to_string(n) +
                             " counters from 0 on have " + std::to_string(expected);
    require(got == expected, got == ~0ull ? says + "; perhaps nothing was written there" : says);
    no_longer_on_device(hits.data());
}

}  // namespace

void check() {
    for_each_size(count_and_compare, {2, 2047, 2048, 2049, 40'003});
}

void counted() {
    count_and_compare(1 << 16);
}
