// New here: a row is the work of one thread. Nothing is shared, so there are no barriers and no atomics.
// What it should save: nothing yet; this is the loop of 1_cpu, with a thread for each round of the outer loop.
// What remains: a warp is busy until its longest row is done, and its lanes read entries that are far apart.

#include <cstdint>

#include "common/check.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256;

__global__ void multiply(Matrix a, const float* x, float* y) {
    const std::int64_t row = std::int64_t{blockIdx.x} * block_size + threadIdx.x;
    if (row >= a.rows) return;
    float sum = 0;
    for (int e = a.row_starts[row]; e < a.row_starts[row + 1]; ++e) sum += a.values[e] * x[a.columns[e]];
    y[row] = sum;
}

}  // namespace

void thread_per_row(const Matrix& a, const float* x, float* y) {
    if (a.rows == 0) return;
    multiply<<<(a.rows - 1) / block_size + 1, block_size>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

std::size_t one_after_the_other(const Matrix&, std::size_t k) {
    return k;  // a product and k - 1 sums, as the first product is added to 0
}

STAGES(Stage{{"a thread per row", thread_per_row}, one_after_the_other});

}  // namespace sparse
