// The lanes of a warp hand over registers, and eight sums go through shared memory.

#include "common/check.h"

__device__ float warp_sum(float sum) {
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float sums[8];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < 8 ? sums[threadIdx.x] : 0);
        if (threadIdx.x == 0) atomicAdd(result, sum);
    }
}

void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<32, 256>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
