// How often does each of the 256 values of a byte occur?

#include <cstdint>

#include "common/check.h"

constexpr int bins = 256;

// BEGIN SOLUTION
__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned table[bins];
    table[threadIdx.x] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&table[data[i]], 1);
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], table[threadIdx.x]);
}
// STUB
// __global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
//     const int stride = gridDim.x * blockDim.x;
//     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&counts[data[i]], 1);
// }
// END SOLUTION

/// data: n bytes in device memory; n may be 0. counts: 256 counters in device memory, which are set.
void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    count_bytes<<<8, 256>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
