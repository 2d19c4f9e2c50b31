// Eight pixels of a row, a warp's width apart.

#include "common/check.h"

constexpr int each = 8;

__constant__ int4 discs[1024];

__global__ void look_down(int count, int* heights, int width, int height) {
    const int first = blockIdx.x * 32 * each + threadIdx.x, y = blockIdx.y;
    int highest[each] = {};
    for (int i = 0; i < count; ++i) {
        const int4 disc = discs[i];
        for (int k = 0; k < each; ++k) {
            const int dx = first + 32 * k - disc.x, dy = y - disc.y;
            const bool covered = dx * dx + dy * dy < disc.w;
            highest[k] = covered ? max(highest[k], disc.z) : highest[k];
        }
    }
    for (int k = 0; k < each && first + 32 * k < width; ++k) heights[y * width + first + 32 * k] = highest[k];
}

void draw(const int4* host_discs, int count, int* heights, int width, int height) {
    CUDA_CHECK(cudaMemcpyToSymbol(discs, host_discs, count * sizeof(int4)));
    look_down<<<dim3((width + 32 * each - 1) / (32 * each), height), 32>>>(count, heights, width, height);
    CUDA_CHECK_LAUNCH();
}
