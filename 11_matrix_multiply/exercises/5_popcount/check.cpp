#include "checker.h"

using namespace exercise;

void multiply(const unsigned* a, const unsigned* b, int* c, int m, int k, int n);

namespace {

void multiply_and_compare(int m, int k, int n) {
    std::vector<int> a_signs(std::size_t(m) * k), b_signs(std::size_t(k) * n);
    for (std::vector<int>* signs : {&a_signs, &b_signs}) {
        const std::vector<std::uint8_t> bytes = random_bytes(signs->size());
        for (std::size_t i = 0; i < bytes.size(); ++i) (*signs)[i] = bytes[i] % 2 == 0 ? 1 : -1;
    }
    const int words = (k + 31) / 32;
    std::vector<unsigned> a_words(std::size_t(m) * words), b_words(std::size_t(words) * n);
    for (int l = 0; l < k; ++l) {
        for (int i = 0; i < m; ++i) a_words[i * words + l / 32] |= unsigned{a_signs[i * k + l] > 0} << l % 32;
        for (int j = 0; j < n; ++j) b_words[l / 32 * n + j] |= unsigned{b_signs[l * n + j] > 0} << l % 32;
    }
    Input<unsigned> a("a", a_words);
    Input<unsigned> b("b", b_words);
    Output<int> c("c", std::size_t(m) * n);

    multiply(a.data(), b.data(), c.data(), m, k, n);
    finish();

    std::vector<int> expected(std::size_t(m) * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l) expected[i * n + j] += a_signs[i * k + l] * b_signs[l * n + j];
    c.require_same(expected);
    a.require_unchanged();
    b.require_unchanged();
}

}  // namespace

void check() {
    const int shapes[][3] = {{1, 32, 1},
                             {8, 64, 32},
                             {1, 1, 1},
                             {5, 31, 7},
                             {3, 33, 40},
                             {33, 100, 65},
                             {9, 1000, 31},
                             {2, 0, 3},
                             {70, 32, 1},
                             {1, 96, 130},
                             {2, 40, 1100},
                             {300, 33, 2},
                             {random_size(2, 60), random_size(2, 200), random_size(2, 60)}};
    for (const auto& [m, k, n] : shapes)
        for_case(
            std::to_string(m) + " x " + std::to_string(k) + " times " + std::to_string(k) + " x " + std::to_string(n),
            [m = m, k = k, n = n] { multiply_and_compare(m, k, n); });
}

void counted() {
    multiply_and_compare(32, 512, 64);
}
