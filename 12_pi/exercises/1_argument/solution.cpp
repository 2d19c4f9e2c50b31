// π by several threads: each sums a part of the terms and adds its sum to the total.

#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

/// 4 / (1 + x²) in the middle of strip i of n, 0 <= i < n. It belongs to the checker, which sees who calls it.
double term(std::int64_t i, std::int64_t n);

/// The sum of the terms from `first` up to the one before `last`.
double sum_of(std::int64_t first, std::int64_t last, std::int64_t n) {
    double sum = 0;
    for (std::int64_t i = first; i < last; ++i) sum += term(i, n);
    return sum;
}

/// π from n terms, n >= 1, by `threads` threads, of which there may be more than terms.
double pi(std::int64_t n, int threads) {
    double total = 0;
    // BEGIN SOLUTION
    std::mutex adding;
    // STUB
    // END SOLUTION
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        // BEGIN SOLUTION
        running.emplace_back([&total, &adding, t, n, threads] {
            const double sum = sum_of(n * t / threads, n * (t + 1) / threads, n);
            const std::lock_guard alone(adding);
            total += sum;
        });
    // STUB
    //     running.emplace_back([&] {
    //         const std::int64_t first = n * t / threads, last = n * (t + 1) / threads;
    //         total += sum_of(first, last, n);
    //     });
    // END SOLUTION
    for (std::thread& thread : running) thread.join();
    return total / static_cast<double>(n);
}
