// The reference: one thread on the host, one row after another, each summed up in double.
// 1_cpu/threads gives each of the host's threads about as many entries. It never splits a row.

#include <algorithm>
#include <thread>
#include <vector>

#include "sparse.h"

namespace sparse {
namespace {

void multiply_rows(const Csr& a, std::span<const float> x, std::span<float> y, int begin, int end) {
    for (int row = begin; row < end; ++row) {
        double sum = 0;
        for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e) sum += double{a.values[e]} * x[a.columns[e]];
        y[row] = static_cast<float>(sum);
    }
}

}  // namespace

void cpu(const Csr& a, std::span<const float> x, std::span<float> y) {
    multiply_rows(a, x, y, 0, a.rows);
}

void cpu_threads(const Csr& a, std::span<const float> x, std::span<float> y, unsigned threads) {
    const auto first_row = [&](unsigned t) {  // the first that starts behind the entries of the threads before
        if (t == threads) return a.rows;
        const int entry = a.entries() / static_cast<int>(threads) * static_cast<int>(t);
        return static_cast<int>(std::lower_bound(a.row_starts.begin(), a.row_starts.end() - 1, entry) -
                                a.row_starts.begin());
    };
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
        running.emplace_back(
            [=, &a, begin = first_row(t), end = first_row(t + 1)] { multiply_rows(a, x, y, begin, end); });
}  // waits for them

void cpu_threads(const Csr& a, std::span<const float> x, std::span<float> y) {
    cpu_threads(a, x, y, std::max(1u, std::thread::hardware_concurrency()));
}

static std::size_t roundings(const Matrix&, std::size_t) {
    return 1;  // to a float, at the end
}

STAGES(Stage{{"one thread on the host, in double", cpu}, roundings},
       Stage{{"threads", "all threads of the host, as many entries each", cpu_threads}, roundings});

}  // namespace sparse
