// First what fills no batch, then whole batches; and fmin() gives the other argument if one is a NaN.

#include "common/check.h"

__device__ void advance(float& x, float& y, int steps) {
    for (int step = 0; step < steps; ++step) {
        const float next = fmaf(x, x, fmaf(-y, y, -0.8f));
        y = fmaf(x + x, y, 0.156f);
        x = next;
    }
}

__device__ bool outside(float x, float y) {
    return fminf(fmaf(x, x, y * y), 1001.0f) > 1000;
}

__global__ void julia_kernel(const float* re, const float* im, int n, int iterations, int* stays) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = re[i], y = im[i];
    advance(x, y, iterations % 8);
    for (int done = iterations % 8; done < iterations && !outside(x, y); done += 8) advance(x, y, 8);
    stays[i] = !outside(x, y);
}

void julia(const float* re, const float* im, int n, int iterations, int* stays) {
    if (n > 0) julia_kernel<<<(n + 255) / 256, 256>>>(re, im, n, iterations, stays);
    CUDA_CHECK_LAUNCH();
}
