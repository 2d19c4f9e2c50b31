// The numbers as they are worked out.

#include "common/check.h"

constexpr int across = (100 + 15) / 16, down = (60 + 15) / 16;

int blocks() {
    return across * down;
}

int threads_without_a_pixel() {
    return across * down * 256 - 100 * 60;
}

int warps_without_a_pixel() {
    return across * (down * 16 - 60) / 2;  // a warp is two rows of 16; each column of blocks is 4 rows too long
}

int sectors_of_a_warp_16x16() {
    return 2 * (16 * 4 / 32);
}

int sectors_of_a_warp_64x4() {
    return 32 * 4 / 32;
}

int sectors_of_a_warp_4x64() {
    return 8;
}

int sectors_of_a_warp_1x64() {
    return 32;
}

__global__ void number_pixels(int* pixels, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) pixels[y * width + x] = 10'000 * y + x;
}

void draw(int* pixels, int width, int height, int block_x, int block_y) {
    const dim3 block(block_x, block_y);
    const dim3 grid((width + block_x - 1) / block_x, (height + block_y - 1) / block_y);
    number_pixels<<<grid, block>>>(pixels, width, height);
    CUDA_CHECK_LAUNCH();
}
