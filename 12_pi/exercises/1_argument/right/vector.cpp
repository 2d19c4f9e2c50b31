// The number of the thread is an argument, and each has a place of its own for its sum.

#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, int threads) {
    std::vector<double> sums(threads);
    {
        std::vector<std::jthread> running;
        for (int t = 0; t < threads; ++t)
            running.emplace_back(
                [&](int me) {
                    double sum = 0;
                    for (std::int64_t i = me; i < n; i += threads) sum += term(i, n);
                    sums[me] = sum;
                },
                t);
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(n);
}
