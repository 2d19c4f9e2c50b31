// Each step reads from one array and writes to the other.

#include "common/check.h"

constexpr unsigned tile = 256;

__global__ void scan_tiles(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned sums[2][tile];
    const int i = blockIdx.x * tile + threadIdx.x;
    unsigned from = 0, sum = i < n ? in[i] : 0;
    sums[from][threadIdx.x] = sum;
    for (unsigned distance = 1; distance < tile; distance *= 2) {
        __syncthreads();
        if (threadIdx.x >= distance) sum += sums[from][threadIdx.x - distance];
        from = 1 - from;
        sums[from][threadIdx.x] = sum;
    }
    if (i < n) out[i] = sum;
}

void scan_each_tile(const unsigned* in, unsigned* out, int n) {
    if (n == 0) return;
    scan_tiles<<<(n + tile - 1) / tile, tile>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
