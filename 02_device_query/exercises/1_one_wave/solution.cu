// One wave: as many blocks as all multiprocessors of a device hold at once.

#include <algorithm>
#include <cstddef>

#include "common/check.h"

/// How many blocks one multiprocessor of the device holds at once. A block has `threads` threads with `registers`
/// registers each, and `shared_bytes` bytes of shared memory, which may be 0. The device can run such a block.
int blocks_per_multiprocessor(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes) {
    // BEGIN SOLUTION
    const int places = (threads + 31) / 32 * 32;
    int blocks = device.maxThreadsPerMultiProcessor / places;
    blocks = std::min(blocks, device.maxBlocksPerMultiProcessor);
    blocks = std::min(blocks, device.regsPerMultiprocessor / (places * registers));
    if (shared_bytes == 0) return blocks;
    return static_cast<int>(std::min<std::size_t>(blocks, device.sharedMemPerMultiprocessor / shared_bytes));
    // STUB
    // return device.maxThreadsPerMultiProcessor / threads;
    // END SOLUTION
}

__global__ void number_blocks(int* numbers) {
    if (threadIdx.x == 0) numbers[blockIdx.x] = blockIdx.x;
}

/// Starts one wave of such blocks. numbers: one int for each block, in device memory.
void launch_wave(const cudaDeviceProp& device, int threads, int registers, std::size_t shared_bytes, int* numbers) {
    const int blocks = device.multiProcessorCount * blocks_per_multiprocessor(device, threads, registers, shared_bytes);
    number_blocks<<<blocks, threads>>>(numbers);
    CUDA_CHECK_LAUNCH();
}
