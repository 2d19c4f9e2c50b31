// The reference: plain loops on one thread of the host. It packs for itself, 64 signs to a word, b by columns.

#include <bit>
#include <vector>

#include "binary.h"

namespace matrix_multiply {
namespace {

using LongWord = std::uint64_t;

/// `count` vectors of k signs; element l of vector v is elements[v * step + l * stride].
std::vector<LongWord> pack(std::span<const float> elements, std::size_t count, std::size_t k, std::size_t step,
                           std::size_t stride) {
    const std::size_t words = (k + 63) / 64;
    std::vector<LongWord> packed(count * words);
    for (std::size_t v = 0; v < count; ++v)
        for (std::size_t l = 0; l < k; ++l)
            packed[v * words + l / 64] |= LongWord{!(elements[v * step + l * stride] < 0)} << l % 64;
    return packed;
}

}  // namespace

void binary_cpu(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c) {
    const auto [m, k, n] = shape;
    const std::size_t words = (k + 63) / 64;
    const auto rows = pack(a, m, k, k, 1), columns = pack(b, n, k, 1, n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            int different = 0;
            for (std::size_t w = 0; w < words; ++w)
                different += std::popcount(rows[i * words + w] ^ columns[j * words + w]);
            c[i * n + j] = static_cast<int>(k) - 2 * different;
        }
}

}  // namespace matrix_multiply
