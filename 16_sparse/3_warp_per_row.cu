// New here: a row is the work of a warp. Its lanes read 32 neighbouring entries at a time, and add up their sums by
// shuffles. What it should save: requests, as 32 neighbours are 4 sectors and not up to 32, and time in long rows,
// which take a 32nd of the steps.
// What remains: rows shorter than 32 entries leave lanes without work, and an empty row still costs a warp.

#include <cstdint>

#include "common/check.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256, warp_size = 32, all_lanes = 0xffffffff;
constexpr unsigned warps = block_size / warp_size;  // of a block

__global__ void multiply(Matrix a, const float* x, float* y) {
    const unsigned lane = threadIdx.x % warp_size;
    const std::int64_t row = std::int64_t{blockIdx.x} * warps + threadIdx.x / warp_size;
    if (row >= a.rows) return;  // the whole warp: no lane is missing in a shuffle
    float sum = 0;
    const int end = a.row_starts[row + 1];
    for (std::int64_t e = std::int64_t{a.row_starts[row]} + lane; e < end; e += warp_size)
        sum += a.values[e] * x[a.columns[e]];
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(all_lanes, sum, distance);
    if (lane == 0) y[row] = sum;
}

}  // namespace

void warp_per_row(const Matrix& a, const float* x, float* y) {
    if (a.rows == 0) return;
    multiply<<<(a.rows - 1) / warps + 1, block_size>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(const Matrix&, std::size_t k) {
    return 1 + k / warp_size + 1 + 5;  // its own, those of its lane, and 5 steps of shuffles
}

STAGES(Stage{{"a warp per row: neighbouring entries", warp_per_row}, roundings});

}  // namespace sparse
