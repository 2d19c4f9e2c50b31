// π on the GPU: each thread sums terms of its own, and the sums meet in one result.

#include <algorithm>

#include "common/check.h"

constexpr int block_size = 256;

// BEGIN SOLUTION
/// Lane 0 gets the sum of all lanes.
__device__ double warp_sum(double sum) {
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

// STUB
// END SOLUTION
__global__ void sum_terms(long long n, double* result) {
    double sum = 0;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const double x = (i + 0.5) / n;
        sum += 4 / (1 + x * x);
    }
    // BEGIN SOLUTION
    __shared__ double warp_sums[block_size / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp > 0) return;
    sum = warp_sum(lane < block_size / 32 ? warp_sums[lane] : 0);
    if (lane == 0) atomicAdd(result, sum / n);
    // STUB
    // atomicAdd(result, sum / n);
    // END SOLUTION
}

/// *result = π from n terms, n >= 1. result: one double in device memory, which is set.
void pi(long long n, double* result) {
    const int blocks = static_cast<int>(std::min<long long>((n + block_size - 1) / block_size, 32));
    CUDA_CHECK(cudaMemset(result, 0, sizeof(double)));
    sum_terms<<<blocks, block_size>>>(n, result);
    CUDA_CHECK_LAUNCH();
}
