// A block without work returns before the grid's barrier, and the others wait for it.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void work(int* x, int blocks) {
    const int block = blockIdx.x;
#ifdef BROKEN
    if (block >= blocks) return;
#endif
    if (block < blocks) x[block] = block + 1;
    cg::this_grid().sync();  // expect: deadlock
    if (block == 0)
        for (int i = 1; i < blocks; ++i) x[0] += x[i];
}

int main() {
    int blocks = 3, *x, host = 0;
    cudaMalloc(&x, 4 * sizeof(int));
    void* arguments[] = {&x, &blocks};
    cudaLaunchCooperativeKernel(work, dim3(4), dim3(1), arguments);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host, 6);
}
