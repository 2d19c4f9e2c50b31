// Blocks of 128 threads: each looks after several counters, and hands in only those that counted something.

#include <cstdint>

#include "common/check.h"

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned mine[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) mine[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(mine + data[i], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        if (mine[bin] != 0) atomicAdd(counts + bin, mine[bin]);
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof *counts));
    count_bytes<<<24, 128>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
