// Each value of a picture becomes the sum of the 5 x 5 values around it.

#include "common/check.h"

constexpr int tile_width = 32, tile_height = 8;  // also the threads of a block
constexpr int radius = 2;
constexpr int halo_width = tile_width + 2 * radius, halo_height = tile_height + 2 * radius;

/// Beyond the border a value is as the nearest one within.
__device__ int clamped(int index, int n) {
    return min(max(index, 0), n - 1);
}

__global__ void add_around(const unsigned* in, unsigned* out, int width, int height) {
    __shared__ unsigned tile[halo_height][halo_width];

    const int left = blockIdx.x * tile_width - radius, top = blockIdx.y * tile_height - radius;
    // BEGIN SOLUTION
    for (int ty = threadIdx.y; ty < halo_height; ty += tile_height)
        for (int tx = threadIdx.x; tx < halo_width; tx += tile_width)
            tile[ty][tx] = in[clamped(top + ty, height) * width + clamped(left + tx, width)];
    // STUB
    // if (threadIdx.x == 0 && threadIdx.y == 0)
    //     for (int ty = 0; ty < halo_height; ++ty)
    //         for (int tx = 0; tx < halo_width; ++tx)
    //             tile[ty][tx] = in[clamped(top + ty, height) * width + clamped(left + tx, width)];
    // END SOLUTION
    __syncthreads();

    const int x = left + radius + threadIdx.x, y = top + radius + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy)
        for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}

/// in, out: height rows of `width` values each, in device memory. width and height are from 1 to 5,000.
void sum_around(const unsigned* in, unsigned* out, int width, int height) {
    const dim3 block(tile_width, tile_height);
    const dim3 grid((width + tile_width - 1) / tile_width, (height + tile_height - 1) / tile_height);
    add_around<<<grid, block>>>(in, out, width, height);
    CUDA_CHECK_LAUNCH();
}
