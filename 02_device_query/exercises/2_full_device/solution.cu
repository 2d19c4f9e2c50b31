// Starts as many threads as a device holds at the same time.

#include "common/check.h"

__global__ void number_threads(int* numbers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = i;
}

/// Starts as many threads as all multiprocessors of the device hold together, in blocks of 256, which divides that
/// number. numbers: one int for each thread, in device memory, which becomes the thread's number.
void fill_device(const cudaDeviceProp& device, int* numbers) {
    // BEGIN SOLUTION
    const int threads = device.multiProcessorCount * device.maxThreadsPerMultiProcessor;
    // STUB
    // const int threads = device.maxThreadsPerBlock;
    // END SOLUTION
    number_threads<<<threads / 256, 256>>>(numbers);
    CUDA_CHECK_LAUNCH();
}
