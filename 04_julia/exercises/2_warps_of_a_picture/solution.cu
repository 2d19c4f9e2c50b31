// What a launch over a picture costs. Put your numbers in place of the zeros; the rest stays as it is.

#include "common/check.h"

// ---- A picture of 100 × 60 pixels, blocks of 16 × 16 threads, a thread for each pixel.

/// How many blocks the grid must have, in x and y together.
int blocks() {
    // BEGIN SOLUTION
    return 28;
    // STUB
    // return 0;
    // END SOLUTION
}

/// How many of their threads have no pixel.
int threads_without_a_pixel() {
    // BEGIN SOLUTION
    return 1168;
    // STUB
    // return 0;
    // END SOLUTION
}

/// How many of their warps have not a single pixel, and so store nothing at all.
int warps_without_a_pixel() {
    // BEGIN SOLUTION
    return 14;
    // STUB
    // return 0;
    // END SOLUTION
}

// ---- A picture of 1,024 × 64 pixels of 4 bytes. How many sectors of 32 bytes does a warp touch when it stores its 32
// ---- pixels? That depends on the shape of the block.

/// 16 × 16 threads.
int sectors_of_a_warp_16x16() {
    // BEGIN SOLUTION
    return 4;
    // STUB
    // return 0;
    // END SOLUTION
}

/// 64 threads in x, 4 in y.
int sectors_of_a_warp_64x4() {
    // BEGIN SOLUTION
    return 4;
    // STUB
    // return 0;
    // END SOLUTION
}

/// 4 threads in x, 64 in y.
int sectors_of_a_warp_4x64() {
    // BEGIN SOLUTION
    return 8;
    // STUB
    // return 0;
    // END SOLUTION
}

/// 1 thread in x, 64 in y.
int sectors_of_a_warp_1x64() {
    // BEGIN SOLUTION
    return 32;
    // STUB
    // return 0;
    // END SOLUTION
}

// ---- What is launched, and counted.

__global__ void number_pixels(int* pixels, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) pixels[y * width + x] = 10'000 * y + x;
}

/// pixels: height rows of `width` ints each, in device memory; block_x × block_y threads in a block.
void draw(int* pixels, int width, int height, int block_x, int block_y) {
    const dim3 block(block_x, block_y);
    const dim3 grid((width + block_x - 1) / block_x, (height + block_y - 1) / block_y);
    number_pixels<<<grid, block>>>(pixels, width, height);
    CUDA_CHECK_LAUNCH();
}
