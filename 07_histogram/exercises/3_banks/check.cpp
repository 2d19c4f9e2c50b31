#include "checker.h"

using namespace exercise;

void histogram(const std::uint8_t* data, int n, unsigned* counts);

namespace {

void count_and_compare(const std::vector<std::uint8_t>& bytes) {
    Input<std::uint8_t> data("data", bytes);
    Output<unsigned> counts("counts", 256);

    histogram(data.data(), static_cast<int>(bytes.size()), counts.data());
    finish();

    std::vector<unsigned> expected(256);
    for (const std::uint8_t byte : bytes) ++expected[byte];
    counts.require_same(expected);
    data.require_unchanged();
}

// A picture is like this: a few values are nearly all of it.
std::vector<std::uint8_t> skewed_bytes(std::size_t n) {
    std::vector<std::uint8_t> bytes = random_bytes(n);
    for (std::uint8_t& byte : bytes)
        if (byte < 250) byte = 200;
    return bytes;
}

}  // namespace

void check() {
    for_each_size([](int n) { count_and_compare(random_bytes(n)); });
    for_each_size([](int n) { count_and_compare(skewed_bytes(n)); }, {150'000});  // too many for counters of 8 bits
}

void counted() {
    count_and_compare(random_bytes(1 << 16));
}
