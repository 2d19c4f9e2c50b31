// Packaged tasks on threads that join by themselves, and terms that are dealt out one by one.

#include <cstdint>
#include <future>
#include <thread>
#include <vector>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, int threads) {
    std::vector<std::future<double>> sums;
    std::vector<std::jthread> running;
    for (int t = 0; t < threads; ++t) {
        std::packaged_task<double(std::int64_t)> task([n, threads](std::int64_t first) {
            double sum = 0;
            for (std::int64_t i = first; i < n; i += threads) sum += term(i, n);
            return sum;
        });
        sums.push_back(task.get_future());
        running.emplace_back(std::move(task), t);
    }
    double total = 0;
    for (auto& sum : sums) total += sum.get();
    return total / n;
}
