// The last warp hands over registers.

#include "common/check.h"

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float cache[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cache[threadIdx.x] = i >= n ? 0 : a[i] * b[i];
    __syncthreads();
    for (unsigned half = 128; half > 32; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        float sum = cache[threadIdx.x] + cache[threadIdx.x + 32];
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
        if (threadIdx.x == 0) atomicAdd(result, sum);
    }
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    if (n == 0) return;
    dot_kernel<<<(n + 255) / 256, 256>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
