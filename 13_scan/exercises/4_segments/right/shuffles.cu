// Warps scan by shuffles. A thread before whose value no segment begins in its warp adds what the warps before it hand
// on.

#include "common/check.h"

__global__ void scan_segments(const unsigned* in, const int* begins, unsigned* out, int n) {
    __shared__ unsigned warp_sums[8];
    __shared__ int warp_begun[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = i < n ? in[i] : 0;
    int begun = i < n ? begins[i] : 1;
    for (int distance = 1; distance < 32; distance *= 2) {
        const unsigned left = __shfl_up_sync(0xffffffff, sum, distance);
        const int left_begun = __shfl_up_sync(0xffffffff, begun, distance);
        if (lane >= distance && !begun) {
            sum += left;
            begun = left_begun;
        }
    }
    if (lane == 31) {
        warp_sums[warp] = sum;
        warp_begun[warp] = begun;
    }
    __syncthreads();
    for (int w = warp - 1; w >= 0 && !begun; --w) {
        sum += warp_sums[w];
        begun = warp_begun[w];
    }
    if (i < n) out[i] = sum;
}

void scan_each_segment(const unsigned* in, const int* begins, unsigned* out, int n) {
    if (n == 0) return;
    scan_segments<<<(n + 255) / 256, 256>>>(in, begins, out, n);
    CUDA_CHECK_LAUNCH();
}
