#include "checker.h"

using namespace exercise;

void multiply(const float* a, const float* b, float* c, int m, int k, int n);

namespace {

// Whole numbers from -8 to 8 without 0: the sums are exact, and a product that is left out or taken twice shows.
std::vector<float> small_numbers(std::size_t n) {
    const std::vector<std::uint8_t> bytes = random_bytes(n);
    std::vector<float> numbers;
    for (const std::uint8_t byte : bytes) numbers.push_back(static_cast<float>(byte % 8 + 1) * (byte < 128 ? 1 : -1));
    return numbers;
}

void multiply_and_compare(int m, int k, int n) {
    Input<float> a("a", small_numbers(std::size_t(m) * k));
    Input<float> b("b", small_numbers(std::size_t(k) * n));
    Output<float> c("c", std::size_t(m) * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    std::vector<float> expected(std::size_t(m) * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l) expected[i * n + j] += a.values[i * k + l] * b.values[l * n + j];
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    const int shapes[][3] = {{1, 1, 1},   {2, 3, 5},     {16, 16, 16},  {32, 32, 32}, {48, 64, 32},
                             {33, 7, 65}, {15, 17, 31},  {31, 100, 33}, {1, 70, 1},   {70, 1, 3},
                             {5, 0, 4},   {17, 32, 101}, {20, 300, 18}, {2, 5, 1100}, {1100, 3, 2}};
    for (const auto& [m, k, n] : shapes)
        for_case(
            std::to_string(m) + " x " + std::to_string(k) + " times " + std::to_string(k) + " x " + std::to_string(n),
            [m = m, k = k, n = n] { multiply_and_compare(m, k, n); });
}

void counted() {
    multiply_and_compare(64, 128, 96);
}
