// Doubles numbers on the device: there, the kernel, and back.

#include <cstddef>

#include "common/check.h"

__global__ void double_kernel(float* numbers, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] *= 2;
}

/// host: n numbers in host memory, n >= 1, which are doubled.
void double_all(float* host, int n) {
    float* device = nullptr;
    const std::size_t bytes = n * sizeof(float);
    CUDA_CHECK(cudaMalloc(&device, bytes));
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    // STUB
    // CUDA_CHECK(cudaMemcpy(device, host, n, cudaMemcpyHostToDevice));
    // END SOLUTION
    double_kernel<<<(n + 255) / 256, 256>>>(device, n);
    CUDA_CHECK_LAUNCH();
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    // STUB
    // END SOLUTION
    CUDA_CHECK(cudaFree(device));
}
