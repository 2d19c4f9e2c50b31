// The sum of n ints, in 64 bits.

#include "common/check.h"

constexpr unsigned block_size = 256;

__global__ void sum_kernel(const int* values, int n, unsigned long long* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    __shared__ long long sums[block_size];
    sums[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (unsigned half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, static_cast<unsigned long long>(sums[0]));
    // STUB
    // // To add is the same for signed and unsigned numbers: the sign comes out right.
    // if (i < n) atomicAdd(result, static_cast<unsigned long long>(values[i]));
    // END SOLUTION
}

/// values: n ints in device memory; n may be 0. result: one number in device memory, which is set.
void sum(const int* values, int n, unsigned long long* result) {
    CUDA_CHECK(cudaMemset(result, 0, sizeof(unsigned long long)));
    if (n == 0) return;
    sum_kernel<<<(n + block_size - 1) / block_size, block_size>>>(values, n, result);
    CUDA_CHECK_LAUNCH();
}
