// Discs seen from above: how high is the highest one over each pixel?

#include "common/check.h"

constexpr int most_discs = 1024;

__constant__ int4 discs[most_discs];  // x and y of the centre, z for the height, w for the square of the radius

__global__ void look_down(int count, int* heights, int width, int height) {
    // BEGIN SOLUTION
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    int highest[4] = {0, 0, 0, 0};
    for (int i = 0; i < count; ++i) {
        const int4 disc = discs[i];
        const int dy = y - disc.y, rest = disc.w - dy * dy;
        for (int k = 0; k < 4; ++k) {
            const int dx = x + k - disc.x;
            if (dx * dx < rest) highest[k] = max(highest[k], disc.z);
        }
    }
    for (int k = 0; k < 4; ++k)
        if (x + k < width) heights[y * width + x + k] = highest[k];
    // STUB
    // const int x = blockIdx.x * blockDim.x + threadIdx.x;
    // const int y = blockIdx.y * blockDim.y + threadIdx.y;
    // if (x >= width || y >= height) return;
    //
    // int highest = 0;
    // for (int i = 0; i < count; ++i) {
    //     const int4 disc = discs[i];
    //     const int dx = x - disc.x, dy = y - disc.y;
    //     if (dx * dx + dy * dy < disc.w) highest = max(highest, disc.z);
    // }
    // heights[y * width + x] = highest;
    // END SOLUTION
}

/// host_discs: count discs in host memory, 0 to 1024, all coordinates below 10,000. heights: height rows of `width`
/// ints each, in device memory; 0 where there is no disc. width and height are at least 1.
void draw(const int4* host_discs, int count, int* heights, int width, int height) {
    if (count > 0) CUDA_CHECK(cudaMemcpyToSymbol(discs, host_discs, count * sizeof(int4)));
    const dim3 block(16, 16);
    // BEGIN SOLUTION
    const dim3 grid((width + 63) / 64, (height + 15) / 16);
    // STUB
    // const dim3 grid((width + 15) / 16, (height + 15) / 16);
    // END SOLUTION
    look_down<<<grid, block>>>(count, heights, width, height);
    CUDA_CHECK_LAUNCH();
}
