// A weighted mean for each row of scores: the weights are the softmax of the row. A warp a row.

#include <cmath>
#include <cstddef>

#include "common/check.h"

/// What some scores of a row come to: the largest of them, Σ exp(score - largest), and Σ exp(score - largest) · value.
/// Of no score: -infinity, 0 and 0.
struct Part {
    float largest, sum, weighted;
};

/// The part with one score more. If that is the largest so far, both sums are corrected.
__device__ Part with(Part part, float score, float value) {
    const float largest = fmaxf(part.largest, score);
    if (largest == -INFINITY) return part;  // a hidden score, and no other one before it
    const float correction = expf(part.largest - largest), weight = expf(score - largest);
    return {largest, part.sum * correction + weight, part.weighted * correction + weight * value};
}

// BEGIN SOLUTION
/// What the scores of both parts come to.
__device__ Part combined(Part a, Part b) {
    const float largest = fmaxf(a.largest, b.largest);
    if (largest == -INFINITY) return a;
    const float of_a = expf(a.largest - largest), of_b = expf(b.largest - largest);
    return {largest, a.sum * of_a + b.sum * of_b, a.weighted * of_a + b.weighted * of_b};
}

// STUB
// END SOLUTION
__global__ void average(const float* scores, const float* values, float* means, int rows, int columns) {
    const int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= rows) return;
    const float* row = scores + std::size_t(i) * columns;
    Part part{-INFINITY, 0, 0};
    // BEGIN SOLUTION
    for (int j = lane; j < columns; j += 32) part = with(part, row[j], values[j]);
    for (int offset = 16; offset > 0; offset /= 2) {
        const Part other{__shfl_xor_sync(0xffffffff, part.largest, offset),
                         __shfl_xor_sync(0xffffffff, part.sum, offset),
                         __shfl_xor_sync(0xffffffff, part.weighted, offset)};
        part = combined(part, other);
    }
    // STUB
    // for (int j = 0; j < columns; ++j) part = with(part, row[j], values[j]);  // all lanes do the same
    // END SOLUTION
    if (lane == 0) means[i] = part.weighted / part.sum;
}

/// scores: rows · columns floats, row by row; rows may be 0, columns is at least 1. values: columns floats, means: rows
/// floats. All in device memory. means[i] becomes Σ p[j] · values[j], where p is the softmax of row i. A score is
/// finite or -infinity, and each row has one that is finite.
void weighted_means(const float* scores, const float* values, float* means, int rows, int columns) {
    if (rows == 0) return;
    average<<<(rows + 3) / 4, dim3(32, 4)>>>(scores, values, means, rows, columns);
    CUDA_CHECK_LAUNCH();
}
