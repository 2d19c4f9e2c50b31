// New here: every thread takes 16 steps of the merge path (merge_path.h), whatever the rows are: a step takes an entry,
// or ends a row. A thread finds by a binary search where its steps begin. Where a row is shared, its threads add their
// parts with atomicAdd(), so y is 0 at the beginning. What it should save: waiting. No thread has more work than
// another. What remains: neighbouring lanes read entries that are 16 apart, each thread searches, and the threads of a
// long row all add to one float.

#include <algorithm>

#include "common/check.h"
#include "merge_path.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256;
constexpr unsigned steps_per_thread = 16;

__global__ void multiply(Matrix a, const float* x, float* y) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * block_size + threadIdx.x;
    const std::int64_t all = std::int64_t{a.rows} + a.entries;
    const std::int64_t begin = thread * steps_per_thread;
    if (begin >= all) return;
    const unsigned steps = all - begin < steps_per_thread ? all - begin : steps_per_thread;

    const int* row_ends = a.row_starts + 1;
    auto [row, entry] = place_after(begin, row_ends, a.rows, a.entries);
    bool is_shared = entry > a.row_starts[row];  // with the threads before
    float sum = 0;
    for (unsigned k = 0; k < steps; ++k) {
        if (entry < row_ends[row]) {
            sum += a.values[entry] * x[a.columns[entry]];
            ++entry;
        } else {
            if (is_shared)
                atomicAdd(&y[row], sum);
            else
                y[row] = sum;
            is_shared = false;
            sum = 0;
            ++row;
        }
    }
    if (row < a.rows && entry > a.row_starts[row]) atomicAdd(&y[row], sum);  // The row goes on in the next thread.
}

}  // namespace

void merge_path(const Matrix& a, const float* x, float* y) {
    if (a.rows == 0) return;
    CUDA_CHECK(cudaMemsetAsync(y, 0, a.rows * sizeof(float)));
    constexpr unsigned steps_per_block = block_size * steps_per_thread;
    const auto blocks = static_cast<unsigned>((std::int64_t{a.rows} + a.entries - 1) / steps_per_block + 1);
    multiply<<<blocks, block_size>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(const Matrix&, std::size_t k) {
    return 1 + steps_per_thread + k / steps_per_thread + 2;  // in its thread, then one for each thread of the row
}

STAGES(Stage{{"16 steps per thread, whatever the rows are", merge_path}, roundings});

}  // namespace sparse
