// The dot product of a and b: each thread adds up products of its own, then the threads of a block bring theirs
// together.

#include <algorithm>

#include "common/check.h"

constexpr unsigned block_size = 256;

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float cache[block_size];

    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();

    // BEGIN SOLUTION
    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    // STUB
    // if (threadIdx.x == 0)
    //     for (unsigned other = 1; other < block_size; ++other) cache[0] += cache[other];
    // END SOLUTION
    if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

/// a, b: n floats each, in device memory; n may be 0. result: one float in device memory, which is set.
void dot(const float* a, const float* b, int n, float* result) {
    const int blocks = std::clamp((n + 255) / 256, 1, 32);
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<blocks, block_size>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
