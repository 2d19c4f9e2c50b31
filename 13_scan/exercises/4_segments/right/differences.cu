// A plain scan, less the sum in front of the segment. Where that begins is a scan, too, for the largest index.

#include "common/check.h"

constexpr int tile = 256;

__global__ void scan_segments(const unsigned* in, const int* begins, unsigned* out, int n) {
    __shared__ unsigned sums[2][tile];
    __shared__ int first[2][tile];
    const int t = threadIdx.x, i = blockIdx.x * tile + t;
    sums[0][t] = i < n ? in[i] : 0;
    first[0][t] = i < n && begins[i] ? t : 0;
    __syncthreads();
    int now = 0;
    for (int d = 1; d < tile; d *= 2, now ^= 1) {
        sums[now ^ 1][t] = sums[now][t] + (t >= d ? sums[now][t - d] : 0);
        first[now ^ 1][t] = t >= d ? max(first[now][t], first[now][t - d]) : first[now][t];
        __syncthreads();
    }
    const int begin = first[now][t];
    if (i < n) out[i] = sums[now][t] - (begin > 0 ? sums[now][begin - 1] : 0);
}

void scan_each_segment(const unsigned* in, const int* begins, unsigned* out, int n) {
    if (n == 0) return;
    scan_segments<<<(n + tile - 1) / tile, tile>>>(in, begins, out, n);
    CUDA_CHECK_LAUNCH();
}
