// Blocks of 64 × 4 threads: a warp is 32 pixels of one row.

#include "common/check.h"

/// After how many steps of z = z² + c |z|² is more than 1000; 0 if 40 steps are not enough. c is -0.8 + 0.156i.
__device__ int steps_to_escape(float re, float im) {
    for (int step = 1; step <= 40; ++step) {
        const float next = fmaf(re, re, fmaf(-im, im, -0.8f));
        im = fmaf(re + re, im, 0.156f);
        re = next;
        if (!(fmaf(re, re, im * im) <= 1000)) return step;
    }
    return 0;
}

// The picture goes from -1.5 to 1.5 in both directions.
__device__ float position(int i, int size) {
    return 3.0f * i / size - 1.5f;
}

__global__ void draw_kernel(int* pixels, int width, int height) {
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x < width && y < height) pixels[x + width * y] = steps_to_escape(position(x, width), position(y, height));
}

void draw(int* pixels, int width, int height) {
    draw_kernel<<<dim3(width / 64 + 1, height / 4 + 1), dim3(64, 4)>>>(pixels, width, height);
    CUDA_CHECK_LAUNCH();
}
