// The sixteen bytes of a vector through a pointer to bytes; one warp of each block's own for the edges.

#include <cstdint>

#include "common/check.h"

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned mine[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) mine[bin] = 0;
    __syncthreads();

    const std::uint8_t* end = data + n;
    const std::uint8_t* aligned = data;
    while (reinterpret_cast<std::uintptr_t>(aligned) % 16 != 0 && aligned < end) ++aligned;
    const int vectors = (end - aligned) / 16;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        const uint4 vector = reinterpret_cast<const uint4*>(aligned)[i];
        const std::uint8_t* bytes = reinterpret_cast<const std::uint8_t*>(&vector);
        for (int k = 0; k < 16; ++k) atomicAdd(&mine[bytes[k]], 1u);
    }
    if (blockIdx.x == gridDim.x - 1) {
        for (const std::uint8_t* p = data + threadIdx.x; p < aligned; p += blockDim.x) atomicAdd(&mine[*p], 1u);
        for (const std::uint8_t* p = aligned + 16 * vectors + threadIdx.x; p < end; p += blockDim.x)
            atomicAdd(&mine[*p], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&counts[bin], mine[bin]);
}

void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof *counts));
    count_bytes<<<16, 128>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
