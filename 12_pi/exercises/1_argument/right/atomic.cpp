// An atomic total; the calling thread takes the last part itself.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

double term(std::int64_t i, std::int64_t n);

static void add_part(std::int64_t first, std::int64_t last, std::int64_t n, std::atomic<double>& total) {
    double sum = 0;
    for (; first != last; ++first) sum += term(first, n);
    total += sum;
}

double pi(std::int64_t n, int threads) {
    std::atomic<double> total = 0;
    std::vector<std::thread> running;
    for (int t = 0; t + 1 < threads; ++t)
        running.emplace_back(add_part, n * t / threads, n * (t + 1) / threads, n, std::ref(total));
    add_part(n * (threads - 1) / threads, n, n, total);
    for (auto& thread : running) thread.join();
    return total / n;
}
