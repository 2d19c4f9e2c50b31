// A ballot tells each lane where its segment begins; warps then add the tails of those before.

#include "common/check.h"

constexpr int tile = 256;

__global__ void scan_segments(const unsigned* in, const int* begins, unsigned* out, int n) {
    __shared__ unsigned tails[8];
    __shared__ bool broken[8];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * tile + threadIdx.x;
    const unsigned marks = __ballot_sync(~0u, i >= n || begins[i]);
    unsigned sum = i < n ? in[i] : 0;
    const unsigned mine = marks & (0xffffffffu >> (31 - lane));
    const int first = mine ? 31 - __clz(mine) : 0;
    for (int d = 1; d < 32; d *= 2) {
        const unsigned left = __shfl_up_sync(~0u, sum, d);
        if (lane - d >= first) sum += left;
    }
    if (lane == 31) {
        tails[w] = sum;
        broken[w] = marks != 0;
    }
    __syncthreads();
    if (!mine)
        for (int k = w - 1; k >= 0; --k) {
            sum += tails[k];
            if (broken[k]) break;
        }
    if (i < n) out[i] = sum;
}

void scan_each_segment(const unsigned* in, const int* begins, unsigned* out, int n) {
    if (n == 0) return;
    scan_segments<<<(n + tile - 1) / tile, tile>>>(in, begins, out, n);
    CUDA_CHECK_LAUNCH();
}
