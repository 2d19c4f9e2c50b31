#include "common/check.h"

constexpr int block_size = 64;

__global__ void multiply_rows(const int* row_starts, const int* columns, const float* values, const float* x,
                              float* y) {
    __shared__ float parts[block_size];
    const int row = blockIdx.x;
    float sum = 0;
    for (int e = row_starts[row] + threadIdx.x; e < row_starts[row + 1]; e += block_size)
        sum += values[e] * x[columns[e]];
    parts[threadIdx.x] = sum;
    for (int half = block_size / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[row] = parts[0];
}

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    multiply_rows<<<rows, block_size>>>(row_starts, columns, values, x, y);
    CUDA_CHECK_LAUNCH();
}
