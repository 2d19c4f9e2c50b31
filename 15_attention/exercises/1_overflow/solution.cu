// The softmax of each row of a matrix, a thread a row.

#include <cmath>
#include <cstddef>

#include "common/check.h"

__global__ void soften(const float* scores, float* weights, int rows, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    const float* row = scores + std::size_t(i) * columns;
    float* out = weights + std::size_t(i) * columns;
    // BEGIN SOLUTION
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < columns; ++j) largest = fmaxf(largest, row[j]);
    for (int j = 0; j < columns; ++j) sum += expf(row[j] - largest);
    for (int j = 0; j < columns; ++j) out[j] = expf(row[j] - largest) / sum;
    // STUB
    // float sum = 0;
    // for (int j = 0; j < columns; ++j) sum += expf(row[j]);
    // for (int j = 0; j < columns; ++j) out[j] = expf(row[j]) / sum;
    // END SOLUTION
}

/// scores, weights: rows · columns floats each in device memory, row by row; rows may be 0, columns is at least 1.
/// weights[i][j] becomes exp(scores[i][j]) / Σ exp(scores[i][l]). A score is finite or -infinity, and each row has one
/// that is finite.
void softmax(const float* scores, float* weights, int rows, int columns) {
    if (rows == 0) return;
    soften<<<(rows + 127) / 128, 128>>>(scores, weights, rows, columns);
    CUDA_CHECK_LAUNCH();
}
