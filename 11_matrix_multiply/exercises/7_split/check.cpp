#include "../products.cpp"

#include <bit>
#include <cmath>

namespace {

/// Rows of positive floats between 1 and 2, each of which rounding to TF32 changes by 5/16 to 1/2 of the last bit that
/// is left: all are made smaller, or all larger. So the errors of single products do not cancel. Each row, or each
/// column, has a power of two of its own; a few of them leave no room for numbers of fewer bits of exponent.
std::vector<float> between_tf32(int rows, int columns, bool larger, bool scaled_by_row) {
    const std::vector<int> upper = random_values<int>(std::size_t(rows) * columns, 0, 1023);
    const std::vector<int> lower = random_values<int>(upper.size(), 0xa00, 0xfff);
    const std::vector<int> powers = random_values<int>(scaled_by_row ? rows : columns, -30, 30);
    std::vector<float> numbers(upper.size());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const std::size_t at = std::size_t(i) * columns + j;
            const unsigned fraction = unsigned(upper[at]) << 13 | (larger ? 0x2000 - lower[at] : lower[at]);
            numbers[at] = std::ldexp(std::bit_cast<float>(0x3f800000 | fraction), powers[scaled_by_row ? i : j]);
        }
    return numbers;
}

void multiply_and_bound(int m, int k, int n, bool larger) {
    std::vector<float> left = between_tf32(m, k, larger, true), right = between_tf32(k, n, larger, false);
    const std::vector<std::uint8_t> signs = random_bytes(k);
    for (int l = 0; l < k; ++l) {  // both factors of a product have the same sign
        if (signs[l] < 128) continue;
        for (int i = 0; i < m; ++i) left[i * k + l] *= -1;
        for (int j = 0; j < n; ++j) right[l * n + j] *= -1;
    }
    Input<float> a("a", left);
    Input<float> b("b", right);
    Output<float> c("c", std::size_t(m) * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    require(
        !call().gives_floats_as_tf32,
        "a product of TF32 matrices was given floats that are none: CUDA asks for __float_to_tf32() first, and does "
        "not say what becomes of the last 13 bits");
    const std::vector<float> got = c.values();
    std::vector<double> exact(got.size());  // sums of positive products, and so those of their magnitudes, too
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l) exact[i * n + j] += double{a.values[i * k + l]} * b.values[l * n + j];
    const double relative = 0x1p-19 + 3 * k * 0x1p-23;
    std::size_t first = 0;  // that is wrong
    while (first + 1 < got.size() && std::abs(got[first] - exact[first]) <= relative * exact[first]) ++first;
    require_near(("c[" + std::to_string(first) + "]").c_str(), got[first], exact[first], relative * exact[first]);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for_awkward_shapes([](int m, int k, int n) {
        multiply_and_bound(m, k, n, false);
        multiply_and_bound(m, k, n, true);
    });
}

void counted() {
    multiply_and_bound(64, 128, 96, false);
}
