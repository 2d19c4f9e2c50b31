// A barrier of the block where all blocks exchange values: a cooperative launch has one for the grid.
#include <cooperative_groups.h>

#include "../arrays.h"

namespace cg = cooperative_groups;

__global__ void reverse(int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 5 * i;  // expect: race
#ifdef BROKEN
    cg::this_thread_block().sync();
#else
    cg::this_grid().sync();
#endif
    y[i] = x[n - 1 - i];  // expect: race, other
}

int main() {
    int n = 64, *x, *y, host[64] = {};
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemset(x, 0, sizeof host);
    void* arguments[] = {&x, &y, &n};
    cudaLaunchCooperativeKernel(reverse, dim3(2), dim3(32), arguments);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return differs(host[0], 315);
}
