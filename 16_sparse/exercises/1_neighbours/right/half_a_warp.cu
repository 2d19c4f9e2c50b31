#include "common/check.h"

constexpr int block_size = 256, lanes = 16;

__global__ void multiply_rows(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
                              int rows) {
    const int lane = threadIdx.x % lanes;
    for (int first = blockIdx.x * (block_size / lanes); first < rows; first += gridDim.x * (block_size / lanes)) {
        const int row = first + threadIdx.x / lanes;
        float sum = 0;
        if (row < rows)
            for (int e = row_starts[row] + lane; e < row_starts[row + 1]; e += lanes) sum += values[e] * x[columns[e]];
        for (int mask = 1; mask < lanes; mask *= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
        if (lane == 0 && row < rows) y[row] = sum;
    }
}

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    multiply_rows<<<16, block_size>>>(row_starts, columns, values, x, y, rows);
    CUDA_CHECK_LAUNCH();
}
