// The sums of the prefixes of each tile of 256 values.

#include "common/check.h"

constexpr unsigned tile = 256;

__global__ void scan_tiles(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned sums[tile];
    const int i = blockIdx.x * tile + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned distance = 1; distance < tile; distance *= 2) {
        // BEGIN SOLUTION
        const unsigned left = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        // STUB
        // if (threadIdx.x >= distance) sums[threadIdx.x] += sums[threadIdx.x - distance];
        // END SOLUTION
        __syncthreads();
    }
    if (i < n) out[i] = sums[threadIdx.x];
}

/// in, out: n values each, in device memory; n may be 0. out[i] becomes the sum of in[i] and all values before it in
/// its tile. The tiles begin at 0, 256, 512, ...
void scan_each_tile(const unsigned* in, unsigned* out, int n) {
    if (n == 0) return;
    scan_tiles<<<(n + tile - 1) / tile, tile>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
