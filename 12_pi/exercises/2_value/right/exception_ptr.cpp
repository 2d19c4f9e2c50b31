// By hand: a place for each thread's value and one for its exception. The calling thread takes the first part.

#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

double term(std::int64_t i, std::int64_t n);

struct Result {
    double sum = 0;
    std::exception_ptr error;
};

static void compute(std::int64_t first, std::int64_t last, std::int64_t n, Result& result) {
    try {
        for (std::int64_t i = first; i < last; ++i) result.sum += term(i, n);
    } catch (...) {
        result.error = std::current_exception();
    }
}

double pi(std::int64_t n, int threads) {
    std::vector<Result> results(threads);
    std::vector<std::thread> running;
    for (int t = 1; t < threads; ++t)
        running.emplace_back(compute, n * t / threads, n * (t + 1) / threads, n, std::ref(results[t]));
    compute(0, n / threads, n, results[0]);
    for (auto& thread : running) thread.join();
    double total = 0;
    for (const auto& result : results) {
        if (result.error) std::rethrow_exception(result.error);
        total += result.sum;
    }
    return total / n;
}
