// The dot product of a and b, to the last digit that a float has.

#include <algorithm>

#include "common/check.h"

constexpr unsigned block_size = 256;
constexpr int most_blocks = 32;

// BEGIN SOLUTION
// The product of two floats has 48 bits at most, and a double has room for 53: nothing is lost before the additions.
__global__ void dot_kernel(const float* a, const float* b, int n, double* block_sums) {
    __shared__ double cache[block_size];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += double{a[i]} * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) block_sums[blockIdx.x] = cache[0];
}

__global__ void add_block_sums(const double* block_sums, int blocks, float* result) {
    double total = 0;
    for (int block = 0; block < blocks; ++block) total += block_sums[block];
    *result = static_cast<float>(total);
}
// STUB
// __global__ void dot_kernel(const float* a, const float* b, int n, float* block_sums) {
//     __shared__ float cache[block_size];
//     float sum = 0;
//     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
//     cache[threadIdx.x] = sum;
//     __syncthreads();
//     for (unsigned half = block_size / 2; half > 0; half /= 2) {
//         if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
//         __syncthreads();
//     }
//     if (threadIdx.x == 0) block_sums[blockIdx.x] = cache[0];
// }
//
// __global__ void add_block_sums(const float* block_sums, int blocks, float* result) {
//     float total = 0;
//     for (int block = 0; block < blocks; ++block) total += block_sums[block];
//     *result = total;
// }
// END SOLUTION

/// a, b: n floats each; n may be 0. result: one float, which is set. workspace: 1024 bytes, aligned for any type, for
/// whatever you need. All in device memory.
void dot(const float* a, const float* b, int n, float* result, void* workspace) {
    const int blocks = std::clamp((n + 255) / 256, 1, most_blocks);
    // BEGIN SOLUTION
    double* block_sums = static_cast<double*>(workspace);
    // STUB
    // float* block_sums = static_cast<float*>(workspace);
    // END SOLUTION
    dot_kernel<<<blocks, block_size>>>(a, b, n, block_sums);
    add_block_sums<<<1, 1>>>(block_sums, blocks, result);
    CUDA_CHECK_LAUNCH();
}
