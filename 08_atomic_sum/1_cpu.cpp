// The reference: one thread on the host adds one int after another, in 64 bits. A sum of integers does not depend on
// the order of the additions, so every stage must give exactly this sum. And the same with several threads.

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "atomic_sum.h"

namespace atomic_sum {

long long cpu(std::span<const int> values) {
    long long sum = 0;
    for (const int value : values) sum += value;
    return sum;
}

long long cpu_threads(std::span<const int> values, unsigned threads) {
    std::vector<long long> sums(threads);
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t) {
        const std::size_t begin = values.size() / threads * t;
        const std::size_t end = t + 1 == threads ? values.size() : begin + values.size() / threads;
        running.emplace_back([=, &sums] { sums[t] = cpu(values.subspan(begin, end - begin)); });
    }
    running.clear();  // waits for them
    return std::accumulate(sums.begin(), sums.end(), 0LL);
}

long long cpu_threads(std::span<const int> values) {
    return cpu_threads(values, std::max(1u, std::thread::hardware_concurrency()));
}

// Unsigned, because signed overflow is undefined behaviour in C++. The bits are those that an int would hold.
unsigned cpu_in_32_bits(std::span<const int> values) {
    unsigned sum = 0;
    for (const int value : values) sum += static_cast<unsigned>(value);
    return sum;
}

STAGES(Stage{{"one thread on the host", cpu}}, Stage{{"threads", "all threads of the host, a sum each", cpu_threads}});

}  // namespace atomic_sum
