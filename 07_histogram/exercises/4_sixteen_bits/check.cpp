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

// A black picture: one value, even in one call and odd in the next, and a few others.
std::vector<std::uint8_t> nearly_one_value(int n) {
    static bool odd = false;
    odd = !odd;
    std::vector<std::uint8_t> bytes = random_bytes(n);
    const auto value = static_cast<std::uint8_t>(random_bytes(1)[0] / 2 * 2 + odd);
    for (std::uint8_t& byte : bytes)
        if (byte < 255) byte = value;
    return bytes;
}

}  // namespace

void check() {
    for_each_size([](int n) { count_and_compare(random_bytes(n)); });
    // In the first three the threads of a block have no equal number of bytes, and some just 256, 500 or 511: a flush
    // that each thread decides by its own count is one that not all come to.
    for_each_size([](int n) { count_and_compare(nearly_one_value(n)); }, {130'660, 255'588, 261'220, 300'000});
    for (const int value : {254, 255}) count_and_compare(std::vector<std::uint8_t>(4 * 65'536, value));
}

void counted() {
    count_and_compare(random_bytes(1 << 16));
}
