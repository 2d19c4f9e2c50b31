// Warps scan by shuffles; each then adds the sums of the warps before it.

#include "common/check.h"

__global__ void scan_tiles(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned warp_sums[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = i < n ? in[i] : 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned left = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += left;
    }
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    for (unsigned w = 0; w < warp; ++w) sum += warp_sums[w];
    if (i < n) out[i] = sum;
}

void scan_each_tile(const unsigned* in, unsigned* out, int n) {
    if (n == 0) return;
    scan_tiles<<<(n + 255) / 256, 256>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
