// One thread on the host, one product after another. A double has room for twice the digits of a float, so each product
// is exact. Only the additions round, half a billion times finer than in float. And the same with several threads.

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "dot_product.h"

namespace dot_product {

double cpu(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
    return sum;
}

double cpu_threads(std::span<const float> a, std::span<const float> b, unsigned threads) {
    std::vector<double> sums(threads);
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t) {
        const std::size_t begin = a.size() / threads * t;
        const std::size_t end = t + 1 == threads ? a.size() : begin + a.size() / threads;
        running.emplace_back(
            [=, &sums] { sums[t] = cpu(a.subspan(begin, end - begin), b.subspan(begin, end - begin)); });
    }
    running.clear();  // waits for them
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

double cpu_threads(std::span<const float> a, std::span<const float> b) {
    return cpu_threads(a, b, std::max(1u, std::thread::hardware_concurrency()));
}

static std::size_t roundings(std::size_t n) {
    return 1 + (n >> 29);  // 2^29 roundings in double weigh as much as one in float.
}

STAGES(Stage{{"one thread on the host, in double", cpu}, roundings},
       Stage{{"threads", "all threads of the host, a sum each", cpu_threads}, roundings});

}  // namespace dot_product
