// π by a team of OpenMP's threads.

#include <cstdint>

/// 4 / (1 + x²) in the middle of strip i of n, 0 <= i < n. It belongs to the checker, which sees who calls it.
double term(std::int64_t i, std::int64_t n);

/// π from n terms, n >= 1, by a team of `threads` threads, of which there may be more than terms.
double pi(std::int64_t n, int threads) {
    double sum = 0;
    // BEGIN SOLUTION
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += term(i, n);
    // STUB
    // #pragma omp parallel for num_threads(threads)
    // for (std::int64_t i = 0; i < n; ++i) {
    //     const double t = term(i, n);
    //     #pragma omp critical
    //     sum += t;
    // }
    // END SOLUTION
    return sum / static_cast<double>(n);
}
