// New here: OpenMP. One line divides the iterations among threads and gives each a sum of its own; in the end they are
// added. The variant private sets the number of threads beforehand, and names the variable that each has for itself.
// The other variants have one sum for all threads: in a critical section, with atomic additions, or not protected.
// Without protection a plain `sum += …` would be a data race, which is undefined behaviour: the compiler may keep the
// sum in a register, and the result may even be right. So racy() reads and writes the sum atomically, but in two
// operations: nothing is undefined, and updates are lost all the same.

#include <omp.h>

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

double private_x(Terms terms, unsigned threads) {
    const double step = 1.0 / static_cast<double>(terms.n);
    double sum = 0, x;
    const int before = omp_get_max_threads();
    omp_set_num_threads(static_cast<int>(threads));  // for every parallel region that this thread begins from now on
#pragma omp parallel for private(x) reduction(+ : sum)
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        x = (static_cast<double>(i) + 0.5) * step;  // to the thread's own x, which had no value before
        sum += 4 / (1 + x * x);
    }
    omp_set_num_threads(before);
    return sum * step;
}

double critical(Terms terms, unsigned threads) {
    const double step = 1.0 / static_cast<double>(terms.n);
    double sum = 0;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = terms.first; i < terms.last; ++i) {
        const double t = term(i, step);  // outside: all threads can do this at the same time
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
        sum.store(before + term(i, step), std::memory_order_relaxed);  // what other threads have added since is lost
    }
    return sum * step;
}

// The schedule decides how many terms a thread gets: it may be all of them.
double openmp_roundings(Terms terms, unsigned threads) {
    return serial_roundings(terms, threads) + threads;
}

template <class T>
constexpr Stage<T> stage{{"one line: parallel for with a reduction", openmp<T>}, openmp_roundings};
STAGES(stage<double>, stage<float>,
       Stage<double>{{"private", "omp_set_num_threads(), and an x outside of the loop", private_x}, openmp_roundings},
       SharingStage{{{"critical", "one sum for all, one thread at a time", critical}, serial_roundings}},
       SharingStage{{{"atomic", "one sum for all, by atomic additions", atomic}, serial_roundings}},
       SharingStage{{{"racy", "one sum for all, read and then written: wrong", racy}, serial_roundings, true}});

}  // namespace pi
