// The host cuts the data: a launch each for the head, the vectors and the tail.

#include <algorithm>
#include <cstdint>

#include "common/check.h"

__global__ void count_single(const std::uint8_t* data, int n, unsigned* counts) {
    if (threadIdx.x < n) atomicAdd(&counts[data[threadIdx.x]], 1);
}

__global__ void count_vectors(const int4* data, int n, unsigned* counts) {
    __shared__ unsigned table[256];
    table[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 8 * 256) {
        const int4 v = data[i];
        const int words[] = {v.x, v.y, v.z, v.w};
        for (const int word : words)
            for (int k = 0; k < 4; ++k) atomicAdd(&table[(word >> 8 * k) & 255], 1);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], table[threadIdx.x]);
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof *counts));
    const int past = static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 16);
    const int head = std::min(n, (16 - past) % 16), vectors = (n - head) / 16, tail = n - head - 16 * vectors;
    count_single<<<1, 32>>>(data, head, counts);
    count_vectors<<<8, 256>>>(reinterpret_cast<const int4*>(data + head), vectors, counts);
    count_single<<<1, 32>>>(data + n - tail, tail, counts);
    CUDA_CHECK_LAUNCH();
}
