// A warp for each tile: it scans 32 values at a time, and hands the sum so far from one round to the next.

#include "common/check.h"

constexpr unsigned tile = 256;

__global__ void scan_tiles(const unsigned* in, unsigned* out, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 256, lane = threadIdx.x % 32;
    unsigned before = 0;
    for (int round = 0; round < 8; ++round) {
        const int i = first + round * 32 + lane;
        unsigned sum = i < n ? in[i] : 0;
        for (int d = 1; d < 32; d *= 2) {
            const unsigned left = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += left;
        }
        sum += before;
        if (i < n) out[i] = sum;
        before = __shfl_sync(0xffffffff, sum, 31);
    }
}

/// in, out: n values each, in device memory; n may be 0. out[i] becomes the sum of in[i] and all values before it in
/// its tile. The tiles begin at 0, 256, 512, ...
void scan_each_tile(const unsigned* in, unsigned* out, int n) {
    if (n == 0) return;
    scan_tiles<<<(n + tile - 1) / tile, 32>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}
