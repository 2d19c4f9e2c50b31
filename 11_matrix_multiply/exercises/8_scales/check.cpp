#include "../products.cpp"

#include <cmath>

namespace {

/// Numbers of which it is known what they become: a whole number times the scale of the row, or of the column, and up
/// to 4/10 of the scale more or less. One of those that share a scale is ±127 times the scale. Scales differ by up to
/// 2^20, and one of them serves only zeros.
struct Scaled {
    std::vector<float> numbers;
    std::vector<int> whole;
    std::vector<float> scales;

    Scaled(int rows, int columns, bool by_row) : numbers(std::size_t(rows) * columns), whole(numbers.size()) {
        const int count = by_row ? rows : columns, length = by_row ? columns : rows;
        const std::vector<int> powers = random_values<int>(count, -10, 10),
                               parts = random_values<int>(count, 512, 1023),
                               places = random_values<int>(count, 0, std::max(length - 1, 0)),
                               values = random_values<int>(numbers.size(), -126, 126),
                               more = random_values<int>(numbers.size(), -400, 400);
        const std::vector<std::uint8_t> signs = random_bytes(count);
        for (int s = 0; s < count; ++s) {
            const float maximum = std::ldexp(float(parts[s]), powers[s]), scale = maximum / 127;
            const bool zeros = s == 1 && count > 2;
            scales.push_back(zeros ? 0 : scale);
            for (int e = 0; e < length && !zeros; ++e) {
                const std::size_t at = by_row ? std::size_t(s) * columns + e : std::size_t(e) * columns + s;
                whole[at] = e == places[s] ? (signs[s] < 128 ? 127 : -127) : values[at];
                numbers[at] = e == places[s] ? std::copysign(maximum, whole[at])
                                             : scale * (float(values[at]) + float(more[at]) / 1000);
            }
        }
    }
};

void quantize_and_compare(int m, int k, int n) {
    const Scaled left(m, k, true), right(k, n, false);
    Input<float> a("a", left.numbers);
    Input<float> b("b", right.numbers);
    Output<float> c("c", std::size_t(m) * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    const std::vector<float> got = c.values();
    std::vector<double> expected(got.size());
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            for (int l = 0; l < k; ++l) expected[i * n + j] += double(left.whole[i * k + l]) * right.whole[l * n + j];
            expected[i * n + j] *= double{left.scales[i]} * right.scales[j];
        }
    const auto near_to = [&](std::size_t at) { return std::abs(expected[at]) * 0x1p-20; };
    std::size_t first = 0;  // that is wrong
    while (first + 1 < got.size() && std::abs(got[first] - expected[first]) <= near_to(first)) ++first;
    require_near(("c[" + std::to_string(first) + "]").c_str(), got[first], expected[first], near_to(first));
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    for_awkward_shapes(quantize_and_compare);
}

void counted() {
    quantize_and_compare(32, 64, 48);
}
