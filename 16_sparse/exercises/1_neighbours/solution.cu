// y = A·x: a row of the sparse matrix A for each warp.

#include "common/check.h"

constexpr unsigned block_size = 128, warp_size = 32, all_lanes = 0xffffffff;

__global__ void multiply_rows(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
                              int rows) {
    // BEGIN SOLUTION
    const int row = (blockIdx.x * block_size + threadIdx.x) / warp_size;
    const int lane = threadIdx.x % warp_size;
    if (row >= rows) return;
    float sum = 0;
    for (int e = row_starts[row] + lane; e < row_starts[row + 1]; e += warp_size) sum += values[e] * x[columns[e]];
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(all_lanes, sum, distance);
    if (lane == 0) y[row] = sum;
    // STUB
    // const int row = blockIdx.x * block_size + threadIdx.x;
    // if (row >= rows) return;
    // float sum = 0;
    // for (int e = row_starts[row]; e < row_starts[row + 1]; ++e) sum += values[e] * x[columns[e]];
    // y[row] = sum;
    // END SOLUTION
}

/// y = A·x. All arrays are in device memory. Row r of A has the entries row_starts[r] to row_starts[r + 1] - 1, and
/// entry e stands in column columns[e] with the value values[e]. A row may have no entry; rows may be 0.
void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    // BEGIN SOLUTION
    constexpr unsigned rows_per_block = block_size / warp_size;
    // STUB
    // constexpr unsigned rows_per_block = block_size;
    // END SOLUTION
    multiply_rows<<<(rows - 1) / rows_per_block + 1, block_size>>>(row_starts, columns, values, x, y, rows);
    CUDA_CHECK_LAUNCH();
}
