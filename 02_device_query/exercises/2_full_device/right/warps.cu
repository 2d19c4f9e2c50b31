// Worked out in warps, with the grid in two dimensions: a row of blocks for each multiprocessor.

#include "common/check.h"

__global__ void number_threads(int* numbers) {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int i = block * blockDim.x + threadIdx.x;
    numbers[i] = i;
}

void fill_device(const cudaDeviceProp& device, int* numbers) {
    const int warps = device.maxThreadsPerMultiProcessor / device.warpSize;
    const dim3 grid(warps / 8, device.multiProcessorCount);
    number_threads<<<grid, 8 * device.warpSize>>>(numbers);
    CUDA_CHECK_LAUNCH();
}
