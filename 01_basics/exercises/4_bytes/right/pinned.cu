// Copies of a stream, from and to pinned memory.

#include <algorithm>

#include "common/check.h"

__global__ void square_kernel(const unsigned char* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

void square_all(const unsigned char* in, int* out, int n) {
    unsigned char *device_in = nullptr, *pinned_in = nullptr;
    int *device_out = nullptr, *pinned_out = nullptr;
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaMalloc(&device_in, n));
    CUDA_CHECK(cudaMalloc(&device_out, n * sizeof(int)));
    CUDA_CHECK(cudaMallocHost(&pinned_in, n));
    CUDA_CHECK(cudaMallocHost(&pinned_out, n * sizeof(int)));
    CUDA_CHECK(cudaStreamCreate(&stream));

    std::copy_n(in, n, pinned_in);
    CUDA_CHECK(cudaMemcpyAsync(device_in, pinned_in, n, cudaMemcpyHostToDevice, stream));
    square_kernel<<<(n + 255) / 256, 256, 0, stream>>>(device_in, device_out, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyAsync(pinned_out, device_out, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    std::copy_n(pinned_out, n, out);

    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFreeHost(pinned_out));
    CUDA_CHECK(cudaFreeHost(pinned_in));
    CUDA_CHECK(cudaFree(device_out));
    CUDA_CHECK(cudaFree(device_in));
}
