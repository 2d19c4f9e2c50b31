// The dot product of a and b: each thread adds up products of its own, then the threads of a block bring theirs
// together.

#include <algorithm>

#include "common/check.h"

constexpr unsigned block_size = 256;

// BEGIN SOLUTION
constexpr unsigned warps = block_size / 32;

/// The sum of the warp's 32 values, in lane 0.
__device__ float warp_sum(float sum) {
    for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// The sum of the block's 256 values, in thread 0.
__device__ float block_sum(float value) {
    __shared__ float warp_sums[warps];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    const float sum = warp_sum(value);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    return warp == 0 ? warp_sum(lane < warps ? warp_sums[lane] : 0) : 0;
}
// STUB
// /// The sum of the block's 256 values, in thread 0.
// __device__ float block_sum(float value) {
//     __shared__ float cache[block_size];
//     cache[threadIdx.x] = value;
//     __syncthreads();
//     for (unsigned half = block_size / 2; half > 0; half /= 2) {
//         if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
//         __syncthreads();
//     }
//     return cache[0];
// }
// END SOLUTION

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

/// a, b: n floats each, in device memory; n may be 0. result: one float in device memory, which is set.
void dot(const float* a, const float* b, int n, float* result) {
    const int blocks = std::clamp((n + 255) / 256, 1, 32);
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    dot_kernel<<<blocks, block_size>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
