// Draws a Julia set: for each pixel, the number of steps after which its point escapes.

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
    // BEGIN SOLUTION
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    // STUB
    // const int x = blockIdx.x;
    // const int y = blockIdx.y;
    // END SOLUTION
    pixels[y * width + x] = steps_to_escape(position(x, width), position(y, height));
}

/// pixels: height rows of `width` ints each, in device memory. width and height are from 1 to
/// 100,000.
void draw(int* pixels, int width, int height) {
    // BEGIN SOLUTION
    const dim3 block(16, 16);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    // STUB
    // const dim3 block(1, 1);
    // const dim3 grid(width, height);
    // END SOLUTION
    draw_kernel<<<grid, block>>>(pixels, width, height);
    CUDA_CHECK_LAUNCH();
}
