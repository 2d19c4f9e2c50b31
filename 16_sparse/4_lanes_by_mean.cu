// New here: 2 to 32 lanes share a row: as many as a row has entries on average, rounded up to a power of two. The sizes
// of the matrix say how many, so nothing has to be prepared, as lists of short and long rows would have to be.
// What it should save: idle lanes. A row of 8 entries takes 8 lanes, and a warp has four such rows under way.
// What remains: an average knows nothing of a single row. A row that is a thousand times as long as the mean takes its
// lanes a thousand rounds, and the rest of the warp waits for them.

#include <cstdint>

#include "common/check.h"
#include "sparse.h"

namespace sparse {
namespace {

constexpr unsigned block_size = 256, warp_size = 32, all_lanes = 0xffffffff;

template <unsigned lanes>
__global__ void multiply(Matrix a, const float* x, float* y) {
    const unsigned lane = threadIdx.x % lanes;
    const std::int64_t row = std::int64_t{blockIdx.x} * (block_size / lanes) + threadIdx.x / lanes;
    float sum = 0;
    if (row < a.rows) {
        const int end = a.row_starts[row + 1];
        for (std::int64_t e = std::int64_t{a.row_starts[row]} + lane; e < end; e += lanes)
            sum += a.values[e] * x[a.columns[e]];
    }
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)  // all lanes of the warp, also those of no row
        sum += __shfl_down_sync(all_lanes, sum, distance, lanes);
    if (lane == 0 && row < a.rows) y[row] = sum;
}

unsigned lanes_for(const Matrix& a) {
    const int mean = a.rows > 0 ? a.entries / a.rows : 0;
    int lanes = 2;
    while (lanes < mean && lanes < int{warp_size}) lanes *= 2;
    return lanes;
}

}  // namespace

void lanes_by_mean(const Matrix& a, const float* x, float* y) {
    if (a.rows == 0) return;
    const unsigned lanes = lanes_for(a), blocks = (a.rows - 1) / (block_size / lanes) + 1;
    switch (lanes) {
        case 2:
            multiply<2><<<blocks, block_size>>>(a, x, y);
            break;
        case 4:
            multiply<4><<<blocks, block_size>>>(a, x, y);
            break;
        case 8:
            multiply<8><<<blocks, block_size>>>(a, x, y);
            break;
        case 16:
            multiply<16><<<blocks, block_size>>>(a, x, y);
            break;
        default:
            multiply<32><<<blocks, block_size>>>(a, x, y);
    }
    CUDA_CHECK_LAUNCH();
}

static std::size_t roundings(const Matrix& a, std::size_t k) {
    return 1 + k / lanes_for(a) + 1 + 5;  // its own, those of its lane, and up to 5 steps of shuffles
}

STAGES(Stage{{"as many lanes per row as its mean needs", lanes_by_mean}, roundings});

}  // namespace sparse
