// What the exercises about c = a · b check with. Their check.cpp includes it: reports take the names of arrays from the
// lines of .cpp files.

#include "checker.h"

void multiply(const float* a, const float* b, float* c, int m, int k, int n);

using namespace exercise;

namespace {

/// From ±2 to ±4, in steps of 1/512: no integer holds them, nor does a half.
std::vector<float> fine_numbers(std::size_t n) {
    const std::vector<int> steps = random_values<int>(n, 1024, 2047);
    const std::vector<std::uint8_t> signs = random_bytes(n);
    std::vector<float> numbers;
    for (std::size_t i = 0; i < n; ++i)
        numbers.push_back(static_cast<float>(2 * steps[i] + 1) / 1024 * (signs[i] < 128 ? 1 : -1));
    return numbers;
}

/// From ±1/8 to ±1, in eighths. A sum of 500 products of a fine and a coarse number is exact, whatever the order.
std::vector<float> coarse_numbers(std::size_t n) {
    const std::vector<std::uint8_t> bytes = random_bytes(n);
    std::vector<float> numbers;
    for (const std::uint8_t byte : bytes)
        numbers.push_back(static_cast<float>(byte % 8 + 1) / 8 * (byte < 128 ? 1 : -1));
    return numbers;
}

float as_it_is(float x) {
    return x;
}

/// `factor`: what becomes of an element before it is multiplied. Sums of a fine and a coarse number must stay exact.
[[maybe_unused]] void multiply_and_compare(int m, int k, int n, bool a_is_fine = true,
                                           float (*factor)(float) = as_it_is) {
    const std::size_t a_size = std::size_t(m) * k, b_size = std::size_t(k) * n;
    Input<float> a("a", a_is_fine ? fine_numbers(a_size) : coarse_numbers(a_size));
    Input<float> b("b", a_is_fine ? coarse_numbers(b_size) : fine_numbers(b_size));
    Output<float> c("c", std::size_t(m) * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    std::vector<float> expected(std::size_t(m) * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l)
                expected[i * n + j] += factor(a.values[i * k + l]) * factor(b.values[l * n + j]);
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

/// Calls action(m, k, n) for m x k times k x n, twice.
void for_awkward_shapes(const std::function<void(int m, int k, int n)>& action) {
    const int shapes[][3] = {
        {1, 1, 1},     {2, 3, 5},    {16, 16, 16}, {32, 32, 32},
        {48, 64, 32},  {33, 7, 65},  {15, 17, 31}, {31, 100, 33},
        {1, 70, 1},    {70, 1, 3},   {5, 0, 4},    {17, 32, 101},
        {20, 300, 18}, {2, 5, 1100}, {1100, 3, 2}, {random_size(2, 80), random_size(2, 80), random_size(2, 80)}};
    for (const auto& [m, k, n] : shapes)
        for_case(
            std::to_string(m) + " x " + std::to_string(k) + " times " + std::to_string(k) + " x " + std::to_string(n),
            [&action, m = m, k = k, n = n] { action(m, k, n); });
}

[[maybe_unused]] void multiply_awkward_shapes(float (*factor)(float) = as_it_is) {
    for_awkward_shapes([factor](int m, int k, int n) {
        multiply_and_compare(m, k, n, true, factor);
        multiply_and_compare(m, k, n, false, factor);
    });
}

}  // namespace
