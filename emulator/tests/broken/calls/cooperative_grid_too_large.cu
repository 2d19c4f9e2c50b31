// A cooperative grid has to fit on the device at once. What the launch returns is thrown away.
#include <cooperative_groups.h>

#include "../arrays.h"

__global__ void two_steps(int* x, int* y, int n) {
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += stride) x[i] = i;
    cooperative_groups::this_grid().sync();
    for (int i = first; i < n; i += stride) y[i] = x[n - 1 - i];
}

int main() {
    int n = 1000000, blocks = 0;
    Array<int> x(n, 0), y(n, 0);
    int *px = x, *py = y;
    void* arguments[] = {&px, &py, &n};
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, two_steps, 256, 0));
#ifdef BROKEN
    blocks = (n + 255) / 256;
#endif
    cudaLaunchCooperativeKernel(two_steps, blocks, 256, arguments);  // expect: refused-launch
    return differs(y[0], n - 1);
}
