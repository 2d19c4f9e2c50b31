// Two passes: the sum is corrected when a larger score comes. The weights are powers of 2.

#include <cmath>
#include <cstddef>

#include "common/check.h"

__global__ void soften(const float* scores, float* weights, int rows, int columns) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        const float* row = scores + std::size_t(i) * columns;
        constexpr float log2_e = 1.44269504f;
        float largest = row[0], sum = 0;
        for (int j = 0; j < columns; ++j) {
            if (row[j] == -INFINITY) continue;
            if (row[j] > largest) {
                sum *= exp2f((largest - row[j]) * log2_e);
                largest = row[j];
            }
            sum += exp2f((row[j] - largest) * log2_e);
        }
        for (int j = 0; j < columns; ++j)
            weights[std::size_t(i) * columns + j] = exp2f((row[j] - largest) * log2_e) / sum;
    }
}

void softmax(const float* scores, float* weights, int rows, int columns) {
    soften<<<32, 64>>>(scores, weights, rows, columns);
    CUDA_CHECK_LAUNCH();
}
