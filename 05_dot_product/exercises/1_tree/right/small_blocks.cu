// Blocks of 64 threads, and the barrier before each step instead of behind it.

#include "common/check.h"

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float cache[64];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    for (int half = 32; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<20, 64>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
