// Worked out in blocks: how many one multiprocessor holds, and how many all of them do.

#include "common/check.h"

__global__ void number_threads(int* numbers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = i;
}

void fill_device(const cudaDeviceProp& device, int* numbers) {
    const int blocks_of_one = device.maxThreadsPerMultiProcessor / 256;
    number_threads<<<blocks_of_one * device.multiProcessorCount, 256>>>(numbers);
    CUDA_CHECK_LAUNCH();
}
