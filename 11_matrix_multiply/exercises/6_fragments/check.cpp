#include "../products.cpp"

#include <cmath>

// To BF16: eight bits, the first one included. None of the numbers lies in the middle between two of BF16.
static float rounded(float x) {
    int exponent = 0;
    const float fraction = std::frexp(x, &exponent);  // |fraction| is from 1/2 to 1
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

// Numbers that BF16 holds and a half does not: those of a are too large for it, those of b too small.
static void multiply_far_from_one() {
    const int m = 33, k = 40, n = 35;
    const auto scaled = [](std::vector<float> numbers, int exponent) {
        for (float& number : numbers) number = std::ldexp(number, exponent);
        return numbers;
    };
    Input<float> a("a", scaled(fine_numbers(m * k), 20));
    Input<float> b("b", scaled(coarse_numbers(k * n), -30));
    Output<float> c("c", m * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    std::vector<float> expected(m * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l) expected[i * n + j] += rounded(a.values[i * k + l]) * b.values[l * n + j];
    c.require_same(expected);
}

void check() {
    multiply_awkward_shapes(rounded);
    for_case("numbers far from 1", multiply_far_from_one);
}

void counted() {
    multiply_and_compare(64, 128, 96, true, rounded);
}
