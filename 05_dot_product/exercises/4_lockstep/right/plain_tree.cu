// The tree to its end, with a barrier in each step.

#include "common/check.h"

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float cache[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float product = 0;
    if (i < n) product = a[i] * b[i];
    cache[threadIdx.x] = product;
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    if (n == 0) return;
    dot_kernel<<<(n + 255) / 256, 256>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
