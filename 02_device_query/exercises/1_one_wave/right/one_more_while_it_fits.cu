// Adds block after block, as long as there is room for one more.

#include <cstddef>

#include "common/check.h"

int blocks_per_multiprocessor(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes) {
    const int warps = (threads + device.warpSize - 1) / device.warpSize;
    const int warp_registers = registers * device.warpSize;
    int blocks = 0;
    while (blocks < device.maxBlocksPerMultiProcessor) {
        const int next = blocks + 1;
        if (next * warps > device.maxThreadsPerMultiProcessor / device.warpSize) break;
        if (next * warps * warp_registers > device.regsPerMultiprocessor) break;
        if (next * shared_bytes > device.sharedMemPerMultiprocessor) break;
        blocks = next;
    }
    return blocks;
}

__global__ void number_blocks(int* numbers) {
    if (threadIdx.x == 0) numbers[blockIdx.x] = blockIdx.x;
}

void launch_wave(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes, int* numbers) {
    const int blocks = blocks_per_multiprocessor(device, threads, registers, shared_bytes) * device.multiProcessorCount;
    number_blocks<<<blocks, threads>>>(numbers);
    CUDA_CHECK_LAUNCH();
}
