// How often does each of the 256 values of a byte occur? With several tables in shared memory for each block.

#include <cstdint>

#include "common/check.h"

constexpr int bins = 256, block_size = 256, warp_size = 32;

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    const int t = threadIdx.x;
    // BEGIN SOLUTION
    // 32 tables side by side, one for each lane: bin v of table l is word 32 · v + l, in bank l.
    constexpr int tables = warp_size;
    __shared__ unsigned words[bins * tables];
    for (int i = t; i < bins * tables; i += block_size) words[i] = 0;
    __syncthreads();

    const int lane = t % warp_size;
    for (int i = blockIdx.x * block_size + t; i < n; i += gridDim.x * block_size)
        atomicAdd(&words[data[i] * tables + lane], 1);
    __syncthreads();

    unsigned sum = 0;
    for (int j = 0; j < tables; ++j) sum += words[t * tables + (j + t) % tables];  // another bank for each lane
    // STUB
    // // One table for each warp, one after the other.
    // constexpr int tables = block_size / warp_size;
    // __shared__ unsigned words[tables * bins];
    // for (int i = t; i < tables * bins; i += block_size) words[i] = 0;
    // __syncthreads();
    //
    // const int warp = t / warp_size;
    // for (int i = blockIdx.x * block_size + t; i < n; i += gridDim.x * block_size)
    //     atomicAdd(&words[warp * bins + data[i]], 1);
    // __syncthreads();
    //
    // unsigned sum = 0;
    // for (int j = 0; j < tables; ++j) sum += words[j * bins + t];
    // END SOLUTION
    atomicAdd(&counts[t], sum);
}

/// data: n bytes in device memory; n may be 0. counts: 256 counters in device memory, which are set.
void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    count_bytes<<<8, block_size>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
