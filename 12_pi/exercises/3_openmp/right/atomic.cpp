// One atomic addition for each thread.

#include <cstdint>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, int threads) {
    const double width = 1.0 / n;
    double area = 0;
#pragma omp parallel num_threads(threads) default(none) shared(area, width, n)
    {
        double mine = 0;
#pragma omp for
        for (std::int64_t i = 0; i < n; ++i) mine += term(i, n);
#pragma omp atomic update
        area += mine * width;
    }
    return area;
}
