// Squares numbers on the device: there, the kernel, and back.

#include "common/check.h"

__global__ void square_kernel(const unsigned char* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

/// in: n numbers of one byte each. out: room for n ints, which become their squares. Both in host memory; n >= 1.
void square_all(const unsigned char* in, int* out, int n) {
    unsigned char* device_in = nullptr;
    int* device_out = nullptr;
    CUDA_CHECK(cudaMalloc(&device_in, n));
    CUDA_CHECK(cudaMalloc(&device_out, n * sizeof(int)));
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpy(device_in, in, n, cudaMemcpyHostToDevice));
    // STUB
    // END SOLUTION
    square_kernel<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
    CUDA_CHECK_LAUNCH();
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpy(out, device_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    // STUB
    // CUDA_CHECK(cudaMemcpy(out, device_out, n, cudaMemcpyDeviceToHost));
    // END SOLUTION
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(device_out));
}
