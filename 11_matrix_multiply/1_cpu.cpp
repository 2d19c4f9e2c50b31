// The reference: the definition, on the host, in double. The product of two floats is exact there, and the rounding
// errors of the additions are a billion times smaller than in float. The loop over l is outside the loop over j, so
// that b and c are read along their rows. The variant `ijl` has the textbook's order, which walks down the columns of
// b, a cache line for each element. With several threads each has rows of its own.

#include <algorithm>
#include <thread>
#include <vector>

#include "matrix_multiply.h"

namespace matrix_multiply {
namespace {

void multiply_rows(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c,
                   std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const auto row = c.subspan(i * shape.n, shape.n);
        std::fill(row.begin(), row.end(), 0.0);
        for (std::size_t l = 0; l < shape.k; ++l) {
            const double x = a[i * shape.k + l];
            for (std::size_t j = 0; j < shape.n; ++j) row[j] += x * b[l * shape.n + j];
        }
    }
}

}  // namespace

void cpu_with(unsigned threads, std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c) {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t)
        others.emplace_back(multiply_rows, a, b, shape, c, shape.m * t / threads, shape.m * (t + 1) / threads);
    multiply_rows(a, b, shape, c, 0, shape.m / threads);
}

void cpu(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c) {
    cpu_with(1, a, b, shape, c);
}

void cpu_threads(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c) {
    cpu_with(std::max(1u, std::thread::hardware_concurrency()), a, b, shape, c);
}

void cpu_ijl(std::span<const float> a, std::span<const float> b, Shape shape, std::span<double> c) {
    for (std::size_t i = 0; i < shape.m; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) {
            double sum = 0;
            for (std::size_t l = 0; l < shape.k; ++l) sum += double{a[i * shape.k + l]} * b[l * shape.n + j];
            c[i * shape.n + j] = sum;
        }
}

STAGES(Stage{{"one thread on the host, in double", cpu}},
       Stage{{"threads", "all threads of the host, each with rows of its own", cpu_threads}},
       Stage{{"ijl", "one thread, in the order of the textbook", cpu_ijl}});

}  // namespace matrix_multiply
