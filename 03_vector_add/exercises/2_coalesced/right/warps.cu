// Each warp has 256 neighbouring elements, and goes through them 32 at a time.

#include "common/check.h"

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 8; ++k) {
        const int i = warp * 256 + k * 32 + lane;
        if (i >= n) break;
        c[i] = a[i] + b[i];
    }
}

void add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    add_kernel<<<(n + 2047) / 2048, 256>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}
