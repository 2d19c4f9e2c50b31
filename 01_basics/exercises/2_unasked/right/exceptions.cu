// With the macros of common/check.h, which throw, and an owner of the memory.

#include <cstddef>

#include "common/check.h"
#include "common/device_buffer.h"

__global__ void square_kernel(unsigned* squares, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) squares[i] = i * i;
}

cudaError_t squares(unsigned* host, std::size_t n, unsigned threads) try {
    static_cast<void>(cudaGetLastError());
    DeviceBuffer<unsigned> device(n);
    square_kernel<<<32, threads>>>(device.data(), n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(host, device.data(), n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return cudaSuccess;
} catch (const cuda_error& error) {
    return error.code;
}
