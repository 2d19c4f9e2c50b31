// Looks after each step, and rounds |z|² in another way.

#include "common/check.h"

__device__ bool stays_inside(float x, float y, int iterations) {
    for (int step = 0; step < iterations; ++step) {
        const float next = fmaf(x, x, fmaf(-y, y, -0.8f));
        y = fmaf(x + x, y, 0.156f);
        x = next;
        if (!(x * x + y * y <= 1000)) return false;
    }
    return true;
}

__global__ void julia_kernel(const float* re, const float* im, int n, int iterations, int* stays) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        stays[i] = stays_inside(re[i], im[i], iterations);
}

void julia(const float* re, const float* im, int n, int iterations, int* stays) {
    julia_kernel<<<16, 64>>>(re, im, n, iterations, stays);
    CUDA_CHECK_LAUNCH();
}
