// An array with a place for each thread, a barrier, and one thread that adds them up.

#include <omp.h>

#include <cstdint>
#include <vector>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, int threads) {
    std::vector<double> sums(threads);
    double total = 0;
    omp_set_num_threads(threads);
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), team = omp_get_num_threads();
        double mine = 0;
        for (std::int64_t i = n * me / team; i < n * (me + 1) / team; ++i) mine += term(i, n);
        sums[me] = mine;
#pragma omp barrier
#pragma omp single
        for (double sum : sums) total += sum;
#pragma omp master
        total /= n;
    }
    return total;
}
