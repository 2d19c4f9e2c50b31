// The numbers of bytes written out, and a copy that takes its direction from the pointers.

#include "common/check.h"

__global__ void double_kernel(float* numbers, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) numbers[i] = numbers[i] + numbers[i];
}

void double_all(float* host, int n) {
    float* device = nullptr;
    CUDA_CHECK(cudaMalloc(&device, sizeof(float) * n));
    CUDA_CHECK(cudaMemcpy(device, host, 4 * n, cudaMemcpyDefault));
    double_kernel<<<n / 128 + 1, 128>>>(device, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(host, device, sizeof(host[0]) * n, cudaMemcpyDefault));
    CUDA_CHECK(cudaFree(device));
}
