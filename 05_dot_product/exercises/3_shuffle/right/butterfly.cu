// With __shfl_xor_sync() all lanes have the warp's sum, and every warp adds the eight sums.

#include "common/check.h"

__device__ float block_sum(float value) {
    __shared__ float sums[8];
    for (int mask = 1; mask < 32; mask *= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[threadIdx.x % 8];
    for (int mask = 1; mask < 8; mask *= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
    return value;
}

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<32, 256>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
