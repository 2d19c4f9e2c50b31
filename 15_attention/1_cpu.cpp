// The reference: one thread on the host, query by query, in double. Each query makes a row of scores, turns it into
// weights, and adds up the values. 1_cpu/threads shares the queries out among all threads of the host.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "attention.h"

namespace attention {
namespace {

/// One position of one head. scores: room for n numbers.
void attend(const Shape& shape, const Vectors<float>& in, std::size_t position, std::span<double> scores, double* out) {
    const std::size_t n = shape.n, d = shape.d;
    const std::size_t first = position / n * n;  // of this head
    const std::size_t seen = shape.causal ? position - first + 1 : n;
    const float* query = in.queries + position * d;
    double largest = -INFINITY;
    for (std::size_t j = 0; j < seen; ++j) {
        const float* key = in.keys + (first + j) * d;
        double sums[4] = {};  // four, so that an addition need not wait for the one before
        for (std::size_t c = 0; c < d; c += 4)
            for (std::size_t e = 0; e < 4; ++e) sums[e] += double{query[c + e]} * key[c + e];
        scores[j] = (sums[0] + sums[1] + sums[2] + sums[3]) / std::sqrt(double(d));
        largest = std::max(largest, scores[j]);
    }
    double total = 0;
    std::fill(out, out + d, 0);
    for (std::size_t j = 0; j < seen; ++j) {
        const double weight = std::exp(scores[j] - largest);
        const float* value = in.values + (first + j) * d;
        total += weight;
        for (std::size_t c = 0; c < d; ++c) out[c] += weight * value[c];
    }
    for (std::size_t c = 0; c < d; ++c) out[c] /= total;
}

}  // namespace

void cpu(const Shape& shape, const Vectors<float>& in, std::span<double> out) {
    std::vector<double> scores(shape.n);
    for (std::size_t position = 0; position < std::size_t(shape.heads) * shape.n; ++position)
        attend(shape, in, position, scores, &out[position * shape.d]);
}

void cpu_threads(const Shape& shape, const Vectors<float>& in, std::span<double> out) {
    const std::size_t positions = std::size_t(shape.heads) * shape.n;
    std::atomic<std::size_t> next = 0;  // with a causal mask, later positions take longer
    const auto work = [&] {
        std::vector<double> scores(shape.n);
        for (std::size_t position; (position = next++) < positions;)
            attend(shape, in, position, scores, &out[position * shape.d]);
    };
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) threads.emplace_back(work);
}

STAGES(Stage{{"one thread on the host, in double", cpu}}, Stage{{"threads", "all threads of the host", cpu_threads}});

}  // namespace attention
