// New here: OpenMP. One line says that the iterations may be shared among threads and that each of them has a sum of
// its own, which are added at the end. The others have one sum for all: protected by a critical section, added to by
// atomic operations, or not protected. A plain `sum += …` there would be a data race, of which C++ says nothing at all:
// the compiler may keep the sum in a register, and the program may even be right. racy() reads and writes it
// atomically, but in two operations, so that nothing is undefined and updates are lost all the same.

#include <atomic>

#include "pi.h"
#include "term.h"

namespace pi {

template <class T>
T openmp(Terms terms, unsigned threads) {
    const T step = T{1} / static_cast<T>(terms.n);
    T sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (std::int64_t i = terms.first; i < terms.last; ++i) sum += term(i, step);
    return sum * step;
}

template float openmp(Terms, unsigned);
template double openmp(Terms, unsigned);

// Who gets how many terms is up to the schedule: it may be all of them.
double openmp_roundings(Terms terms, unsigned threads) {
    return serial_roundings(terms, threads) + threads;
}

double critical(Terms terms, unsigned threads) {
    const double step = 1.0 / static_cast<double>(terms.n);
    double sum = 0;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const double t = term(i, step);  // outside: this they can do at the same time
#pragma omp critical
        sum += t;
    }
    return sum * step;
}

double atomic(Terms terms, unsigned threads) {
    const double step = 1.0 / static_cast<double>(terms.n);
    double sum = 0;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const double t = term(i, step);
#pragma omp atomic
        sum += t;
    }
    return sum * step;
}

double racy(Terms terms, unsigned threads) {
    const double step = 1.0 / static_cast<double>(terms.n);
    std::atomic<double> sum = 0;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const double before = sum.load(std::memory_order_relaxed);
        sum.store(before + term(i, step), std::memory_order_relaxed);  // whatever others have added since is gone
    }
    return sum * step;
}

}  // namespace pi
