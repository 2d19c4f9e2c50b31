// Of the lanes with the same byte one adds for all. Which lanes are together does not matter: one counts each byte.

#include <cstdint>

#include "common/check.h"

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned table[256];
    table[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int byte = data[i];
        const unsigned same = __match_any_sync(__activemask(), byte);
        if (threadIdx.x % 32 == unsigned(__ffs(same) - 1)) atomicAdd(&table[byte], __popc(same));
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], table[threadIdx.x]);
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof(unsigned)));
    count_bytes<<<8, 256>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
