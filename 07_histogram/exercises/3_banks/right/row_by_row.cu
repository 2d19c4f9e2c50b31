// The warps add up a row at a time, in registers. The block is smaller, and its shared memory is dynamic.

#include <cstdint>

#include "common/check.h"

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    extern __shared__ unsigned table[];
    for (unsigned i = threadIdx.x; i < 256 * 32; i += blockDim.x) table[i] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(table + (data[i] << 5 | lane), 1u);
    __syncthreads();
    for (unsigned bin = warp; bin < 256; bin += blockDim.x / 32) {
        unsigned sum = table[bin * 32 + lane];
        for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
        if (lane == 0 && sum > 0) atomicAdd(&counts[bin], sum);
    }
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof *counts));
    count_bytes<<<2, 128, 256 * 32 * sizeof(unsigned)>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
