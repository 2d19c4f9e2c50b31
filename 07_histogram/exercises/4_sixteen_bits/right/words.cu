// Counters of 32 bits after all.

#include <cstdint>

#include "common/check.h"

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned table[256];
    for (int bin = threadIdx.x; bin < 256; bin += 128) table[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) atomicAdd(&table[data[i]], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += 128) atomicAdd(&counts[bin], table[bin]);
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof *counts));
    count_bytes<<<4, 128>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
