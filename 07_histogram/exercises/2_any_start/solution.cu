// How often does each of the 256 values of a byte occur, in bytes that begin anywhere?

#include <cstdint>

#include "common/check.h"

constexpr int bins = 256;

// BEGIN SOLUTION
__device__ void count_word(unsigned word, unsigned* table) {
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(&table[word >> shift & 0xff], 1);
}

// STUB
// END SOLUTION
__global__ void count_bytes(const std::uint8_t* data, int n, unsigned* counts) {
    __shared__ unsigned table[bins];
    table[threadIdx.x] = 0;
    __syncthreads();

    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    // BEGIN SOLUTION
    const int before = -reinterpret_cast<std::uintptr_t>(data) % 16;  // up to the next multiple of 16
    const int head = min(n, before), vectors = (n - head) / 16;
    const uint4* vector = reinterpret_cast<const uint4*>(data + head);
    for (int i = thread; i < vectors; i += threads) {
        const uint4 v = vector[i];
        count_word(v.x, table);
        count_word(v.y, table);
        count_word(v.z, table);
        count_word(v.w, table);
    }
    const int tail = head + 16 * vectors + thread;
    if (thread < head) atomicAdd(&table[data[thread]], 1);
    if (tail < n) atomicAdd(&table[data[tail]], 1);
    // STUB
    // for (int i = thread; i < n; i += threads) atomicAdd(&table[data[i]], 1);
    // END SOLUTION
    __syncthreads();

    atomicAdd(&counts[threadIdx.x], table[threadIdx.x]);
}

/// data: n bytes in device memory, at any address; n may be 0. counts: 256 counters in device memory, which are set.
void histogram(const std::uint8_t* data, int n, unsigned* counts) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));
    count_bytes<<<8, 256>>>(data, n, counts);
    CUDA_CHECK_LAUNCH();
}
