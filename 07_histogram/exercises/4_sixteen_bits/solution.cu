// How often does each of the 256 values of a byte occur? Two counters of 16 bits in each word of shared memory.

#include <cstdint>

#include "common/check.h"

constexpr int bins = 256, block_size = 128, most = 0xffff;

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned packed[bins / 2];  // bin v: the lower half of word v / 2 if v is even, else the upper half
    const int t = threadIdx.x, threads = gridDim.x * block_size;
    packed[t] = 0;
    // BEGIN SOLUTION
    __syncthreads();

    // In `rounds` rounds a block counts no more bytes than a counter can hold.
    constexpr int rounds = most / block_size;
    for (int first = blockIdx.x * block_size; first < n; first += rounds * threads) {
        for (int round = 0, i = first + t; round < rounds && i < n; ++round, i += threads)
            atomicAdd(&packed[data[i] / 2], data[i] % 2 == 0 ? 1 : 1 << 16);
        __syncthreads();
        atomicAdd(&counts[2 * t], packed[t] & most);
        atomicAdd(&counts[2 * t + 1], packed[t] >> 16);
        packed[t] = 0;
        __syncthreads();
    }
    // STUB
    //
    // for (int i = blockIdx.x * block_size + t; i < n; i += threads)
    //     atomicAdd(&packed[data[i] / 2], data[i] % 2 == 0 ? 1 : 1 << 16);
    // __syncthreads();
    //
    // atomicAdd(&counts[2 * t], packed[t] & most);
    // atomicAdd(&counts[2 * t + 1], packed[t] >> 16);
    // END SOLUTION
}

/// data: n bytes in device memory; n may be 0. counts: 256 counters in device memory, which are set.
void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    // STUB
    // CUDA_CHECK(cudaMemset(counts, 0, bins));
    // END SOLUTION
    count_bytes<<<4, block_size>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
