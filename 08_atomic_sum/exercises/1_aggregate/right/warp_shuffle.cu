// A few blocks: each thread adds up its share, the lanes of a warp theirs, and eight warps meet in shared memory.

#include "common/check.h"

__device__ long long sum_of_warp(long long sum) {
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

__global__ void sum_kernel(const int* values, int n, unsigned long long* result) {
    __shared__ long long sums[8];
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += values[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = sum_of_warp(threadIdx.x < 8 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(result, static_cast<unsigned long long>(sum));
}

void sum(const int* values, int n, unsigned long long* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof *result));
    sum_kernel<<<20, 256>>>(values, n, result);
    CUDA_CHECK_LAUNCH();
}
