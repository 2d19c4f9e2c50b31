// The reference: one thread on the host, in double, three passes over each row: the largest number, the sum of the
// exponentials, the quotients. s1_cpu/threads shares the rows out among all threads of the host.

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "softmax.h"

namespace softmax {
namespace {

void soften(const Shape& shape, std::span<const float> in, std::span<double> out, std::size_t begin, std::size_t end) {
    const std::size_t columns = shape.columns;
    for (std::size_t i = begin; i < end; ++i) {
        const auto row = in.subspan(i * columns, columns);
        const double largest = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j) sum += out[i * columns + j] = std::exp(row[j] - largest);
        for (std::size_t j = 0; j < columns; ++j) out[i * columns + j] /= sum;
    }
}

}  // namespace

void cpu(const Shape& shape, std::span<const float> in, std::span<double> out) {
    soften(shape, in, out, 0, shape.rows);
}

void cpu_threads(const Shape& shape, std::span<const float> in, std::span<double> out) {
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency()), rows = shape.rows;
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
        running.emplace_back([&, t] { soften(shape, in, out, rows * t / threads, rows * (t + 1) / threads); });
}

STAGES(Stage{"one thread on the host, in double", cpu}, Stage{"threads", "all threads of the host", cpu_threads});

}  // namespace softmax
