// Bytes that are alike, one after the other, are counted in a register: the lanes of a warp part at each change.

#include <cstdint>

#include "common/check.h"

constexpr int bins = 256;

__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned table[bins];
    table[threadIdx.x] = 0;
    __syncthreads();

    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const int head = min(n, int((16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16));
    const int vectors = (n - head) / 16, tail = head + 16 * vectors;
    if (thread < head) atomicAdd(&table[data[thread]], 1);
    if (thread < n - tail) atomicAdd(&table[data[tail + thread]], 1);
    unsigned last = 0, run = 0;
    const uint4* body = reinterpret_cast<const uint4*>(data + head);
    for (int i = thread; i < vectors; i += threads) {
        const uint4 v = body[i];
        const unsigned words[] = {v.x, v.y, v.z, v.w};
        for (unsigned w : words)
            for (int shift = 0; shift < 32; shift += 8) {
                const unsigned byte = w >> shift & 255;
                if (byte != last && run > 0) {
                    atomicAdd(&table[last], run);
                    run = 0;
                }
                last = byte;
                ++run;
            }
    }
    if (run > 0) atomicAdd(&table[last], run);
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], table[threadIdx.x]);
}

/// data: n bytes in device memory, at any address; n may be 0. counts: 256 counters in device memory, which are set.
void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    count_bytes<<<8, 256>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
