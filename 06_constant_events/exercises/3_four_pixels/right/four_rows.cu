// Four pixels of a column, which are 16 rows apart: the stores of a warp stay neighbours.

#include "common/check.h"

__constant__ int4 discs[1024];

__global__ void look_down(int count, int* heights, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * 64 + threadIdx.y;
    if (x >= width) return;
    int a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < count; ++i) {
        const int4 disc = discs[i];
        const int dx = x - disc.x, rest = disc.w - dx * dx;
        const auto look = [&](int y, int& highest) {
            if ((y - disc.y) * (y - disc.y) < rest && disc.z > highest) highest = disc.z;
        };
        look(top, a);
        look(top + 16, b);
        look(top + 32, c);
        look(top + 48, d);
    }
    const int highest[] = {a, b, c, d};
    for (int k = 0; k < 4; ++k)
        if (top + 16 * k < height) heights[(top + 16 * k) * width + x] = highest[k];
}

void draw(const int4* host_discs, int count, int* heights, int width, int height) {
    CUDA_CHECK(cudaMemcpyToSymbol(discs, host_discs, count * sizeof(int4)));
    look_down<<<dim3((width + 15) / 16, (height + 63) / 64), dim3(16, 16)>>>(count, heights, width, height);
    CUDA_CHECK_LAUNCH();
}
