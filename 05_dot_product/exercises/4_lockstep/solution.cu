// The dot product of a and b, a thread for each pair. Somebody has saved a little work in three places.

#include "common/check.h"

constexpr unsigned block_size = 256;

__global__ void dot_kernel(const float* a, const float* b, int n, float* result) {
    __shared__ float cache[block_size];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    cache[threadIdx.x] = i < n ? a[i] * b[i] : 0;
    // STUB
    // if (i >= n) return;  // Threads without a pair have nothing to do.
    // cache[threadIdx.x] = a[i] * b[i];
    // END SOLUTION
    __syncthreads();

    for (unsigned half = block_size / 2; half > 32; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    // BEGIN SOLUTION
    if (threadIdx.x < 32)
        for (unsigned half = 32; half > 0; half /= 2) {
            const float other = cache[threadIdx.x + half];
            __syncwarp();  // All have read before anyone writes,
            cache[threadIdx.x] += other;
            __syncwarp();  // and all have written before anyone reads.
        }
    if (threadIdx.x == 0) atomicAdd(result, cache[0]);
    // STUB
    // if (threadIdx.x < 32)  // One warp is left. Its lanes go together anyway, so it needs no barriers.
    //     for (unsigned half = 32; half > 0; half /= 2) cache[threadIdx.x] += cache[threadIdx.x + half];
    // if (threadIdx.x == 0) *result += cache[0];  // One thread of each block: no atomic is needed.
    // END SOLUTION
}

/// a, b: n floats each, in device memory; n may be 0. result: one float in device memory, which is set.
void dot(const float* a, const float* b, int n, float* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(float)));
    if (n == 0) return;
    dot_kernel<<<(n + 255) / 256, block_size>>>(a, b, n, result);
    CUDA_CHECK_LAUNCH();
}
