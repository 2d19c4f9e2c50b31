// The squares 0, 1, 4, 9 ..., computed on the device.

#include <cstddef>

#include "common/check.h"

__global__ void square_kernel(unsigned* squares, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = static_cast<unsigned>(i * i);
}

/// host: n numbers in host memory, n > 0, which become the squares. Each block has `threads` threads.
/// Returns cudaSuccess, or the first error that there was; then `host` is as it was before.
cudaError_t squares(unsigned* host, std::size_t n, unsigned threads) {
    const std::size_t bytes = n * sizeof(unsigned);
    const unsigned blocks = static_cast<unsigned>((n + threads - 1) / threads);
    unsigned* device = nullptr;
    // BEGIN SOLUTION
    cudaGetLastError();  // One that was left there before is forgotten: it is not the launch's.
    if (const cudaError_t error = cudaMalloc(&device, bytes); error != cudaSuccess) return error;
    square_kernel<<<blocks, threads>>>(device, n);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    // STUB
    // cudaMalloc(&device, bytes);
    // square_kernel<<<blocks, threads>>>(device, n);
    // cudaError_t error = cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    // END SOLUTION
    cudaFree(device);
    return error;
}
