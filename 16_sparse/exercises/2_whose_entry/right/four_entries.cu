#include "common/check.h"

constexpr int block_size = 256, share = 4;

/// Each thread searches once, and then walks from row to row.
__global__ void multiply_shares(const int* row_starts, const int* columns, const float* values, const float* x,
                                float* y, int rows) {
    const int begin = (blockIdx.x * block_size + threadIdx.x) * share, end = min(begin + share, row_starts[rows]);
    if (begin >= end) return;
    int row = 0;
    for (int step = 1 << 30; step > 0; step /= 2)
        if (step < rows - row && row_starts[row + step] <= begin) row += step;
    float sum = 0;
    for (int e = begin; e < end; ++e) {
        while (row_starts[row + 1] <= e) {
            if (sum != 0) atomicAdd(&y[row], sum);
            sum = 0;
            ++row;
        }
        sum += values[e] * x[columns[e]];
    }
    atomicAdd(&y[row], sum);
}

void multiply(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows) {
    if (rows == 0) return;
    int entries = 0;
    CUDA_CHECK(cudaMemcpy(&entries, row_starts + rows, sizeof entries, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(y, 0, rows * sizeof(float)));
    if (entries == 0) return;
    constexpr int per_block = block_size * share;
    multiply_shares<<<(entries - 1) / per_block + 1, block_size>>>(row_starts, columns, values, x, y, rows);
    CUDA_CHECK_LAUNCH();
}
