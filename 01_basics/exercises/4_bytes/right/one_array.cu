// Copies that take their direction from the pointers, and one array for the device's two.

#include "common/check.h"

__global__ void square_kernel(int* out, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int number = in[i];
    out[i] = number * number;
}

void square_all(const unsigned char* in, int* out, int n) {
    int* device = nullptr;
    CUDA_CHECK(cudaMalloc(&device, 5 * n));  // n ints, and behind them n bytes
    unsigned char* device_in = reinterpret_cast<unsigned char*>(device + n);
    CUDA_CHECK(cudaMemcpy(device_in, in, sizeof(in[0]) * n, cudaMemcpyDefault));
    square_kernel<<<n / 128 + 1, 128>>>(device, device_in, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(out, device, 4 * n, cudaMemcpyDefault));
    CUDA_CHECK(cudaFree(device));
}
