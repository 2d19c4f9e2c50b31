// π by several threads: each is given its part of the terms, and gives back a value.

#include <cstdint>
// BEGIN SOLUTION
#include <future>
#include <vector>
// STUB
// END SOLUTION

/// 4 / (1 + x²) in the middle of strip i of n, 0 <= i < n. It belongs to the checker, which sees who calls it. It may
/// throw.
double term(std::int64_t i, std::int64_t n);

/// The sum of the terms from `first` up to the one before `last`.
double sum_of(std::int64_t first, std::int64_t last, std::int64_t n) {
    double sum = 0;
    for (std::int64_t i = first; i < last; ++i) sum += term(i, n);
    return sum;
}

/// π from n terms, n >= 1, by `threads` threads, of which there may be more than terms. Throws what a term has thrown.
double pi(std::int64_t n, int threads) {
    // BEGIN SOLUTION
    std::vector<std::future<double>> sums;
    for (int t = 0; t < threads; ++t)
        sums.push_back(std::async(std::launch::async, sum_of, n * t / threads, n * (t + 1) / threads, n));
    double total = 0;
    for (std::future<double>& sum : sums) total += sum.get();
    return total / static_cast<double>(n);
    // STUB
    // return sum_of(0, n, n) / static_cast<double>(n);
    // END SOLUTION
}
