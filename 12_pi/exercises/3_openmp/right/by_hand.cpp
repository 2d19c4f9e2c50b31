// A variable of its own for each thread, and one critical section behind the loop.

#include <cstdint>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, int threads) {
    double total = 0;
#pragma omp parallel num_threads(threads)
    {
        double mine = 0;
#pragma omp for schedule(static, 16) nowait
        for (std::int64_t i = 0; i < n; ++i) mine += term(i, n);
#pragma omp critical
        total += mine;
    }
    return total / n;
}
