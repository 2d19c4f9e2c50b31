// A block a row. First all learn the largest score that any thread has seen; then each thread corrects its own sums
// once.

#include <cmath>
#include <cstddef>

#include "common/check.h"

constexpr int threads = 128;

__device__ float all_of_block(float value, float (*combine)(float, float)) {
    __shared__ float shared[threads];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (int(threadIdx.x) < distance)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + distance]);
        __syncthreads();
    }
    value = shared[0];
    __syncthreads();
    return value;
}

__device__ float larger(float a, float b) {
    return a < b ? b : a;
}

__device__ float sum_of(float a, float b) {
    return a + b;
}

__global__ void average(const float* scores, const float* values, float* means, int columns) {
    const float* row = scores + std::size_t(blockIdx.x) * columns;
    float largest = -INFINITY, sum = 0, weighted = 0;
    for (int j = threadIdx.x; j < columns; j += threads) {
        const float score = row[j], value = values[j];
        if (score > largest) {
            const float correction = expf(largest - score);
            sum *= correction;
            weighted *= correction;
            largest = score;
        }
        if (score == -INFINITY) continue;
        sum += expf(score - largest);
        weighted += expf(score - largest) * value;
    }
    const float correction = expf(largest - all_of_block(largest, larger));  // 0 without a score
    sum = all_of_block(sum * correction, sum_of);
    weighted = all_of_block(weighted * correction, sum_of);
    if (threadIdx.x == 0) means[blockIdx.x] = weighted / sum;
}

void weighted_means(const float* scores, const float* values, float* means, int rows, int columns) {
    if (rows == 0) return;
    average<<<rows, threads>>>(scores, values, means, columns);
    CUDA_CHECK_LAUNCH();
}
