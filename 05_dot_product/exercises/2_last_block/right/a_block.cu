// The whole last block adds up the sums, and atomicInc() begins again by itself.

#include <algorithm>

#include "common/check.h"

constexpr unsigned block_size = 256;

__constant__ unsigned slow_block = 1;

/// Blocks end in any order. The checker makes one of them slow, now this one and now that.
void slow_down(unsigned block) {
    CUDA_CHECK(cudaMemcpyToSymbol(slow_block, &block, sizeof block));
}

__device__ void nap() {
#if __CUDA_ARCH__ >= 700  // older GPUs cannot
    __nanosleep(1000);
#endif
}

/// Takes its time, so that every run shows what comes of a slow block.
__device__ void be_slow() {
    const long long begin = clock64();
    while (clock64() - begin < 4'000'000) nap();
    for (int times = 0; times < 100; ++times) nap();
}

/// The sum of the block's 256 values, in thread 0. The others get something else.
__device__ float block_sum(float value) {
    __shared__ float cache[block_size];
    if (threadIdx.x == 0 && blockIdx.x == slow_block) be_slow();
    cache[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    return cache[0];
}

__global__ void dot_kernel(const float* a, const float* b, int n, float* result, float* block_sums, unsigned* arrived) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = block_sum(sum);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    const float total = block_sum(threadIdx.x < gridDim.x ? block_sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) *result = total;
}

/// a, b: n floats each; n may be 0. result: one float, which is set. block_sums: room for 32 floats. arrived: one
/// number, which is 0 before the call and must be 0 after it. All in device memory.
void dot(const float* a, const float* b, int n, float* result, float* block_sums, unsigned* arrived) {
    const int blocks = std::clamp((n + 255) / 256, 1, 32);
    dot_kernel<<<blocks, block_size>>>(a, b, n, result, block_sums, arrived);
    CUDA_CHECK_LAUNCH();
}
