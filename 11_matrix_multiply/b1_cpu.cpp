// The reference: plain loops on the host. It packs for itself, 64 signs to a word, b by columns. With several threads
// each has rows and columns of its own to pack, and then rows of c.

#include <algorithm>
#include <bit>
#include <thread>
#include <vector>

#include "binary.h"

namespace matrix_multiply {
namespace {

using LongWord = std::uint64_t;

/// Calls work(begin, end) in each of the threads, for a part of 0 ≤ i < count each, and waits for all.
template <class Work>
void divide(std::size_t count, unsigned threads, const Work& work) {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(work, count * t / threads, count * (t + 1) / threads);
    work(0, count / threads);
}

/// `count` vectors of k signs; element l of vector v is elements[v * step + l * stride].
std::vector<LongWord> pack(std::span<const float> elements, std::size_t count, std::size_t k, std::size_t step,
                           std::size_t stride, unsigned threads) {
    const std::size_t words = (k + 63) / 64;
    std::vector<LongWord> packed(count * words);
    divide(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            for (std::size_t l = 0; l < k; ++l)
                packed[v * words + l / 64] |= LongWord{!(elements[v * step + l * stride] < 0)} << l % 64;
    });
    return packed;
}

}  // namespace

void binary_cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape,
                     std::span<int> c) {
    const auto [m, k, n] = shape;
    const std::size_t words = (k + 63) / 64;
    const auto rows = pack(a, m, k, k, 1, threads), columns = pack(b, n, k, 1, n, threads);
    divide(m, threads, [&, k = k, n = n](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                int different = 0;
                for (std::size_t w = 0; w < words; ++w)
                    different += std::popcount(rows[i * words + w] ^ columns[j * words + w]);
                c[i * n + j] = static_cast<int>(k) - 2 * different;
            }
    });
}

void binary_cpu(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c) {
    binary_cpu_with(1, a, b, shape, c);
}

void binary_cpu_threads(std::span<const float> a, std::span<const float> b, Shape shape, std::span<int> c) {
    binary_cpu_with(std::max(1u, std::thread::hardware_concurrency()), a, b, shape, c);
}

STAGES(BinaryStage{"one thread on the host, 64 signs per word", binary_cpu},
       BinaryStage{"threads", "all threads of the host, each with rows of its own", binary_cpu_threads});

}  // namespace matrix_multiply
