// The index in the grid is used for the block's own array.
#include <cstdio>

__global__ void copy(int* y, int first_block) {
    __shared__ int cache[128];
    const int i = (first_block + blockIdx.x) * blockDim.x + threadIdx.x;
#ifdef BROKEN
    const int mine = i;
#else
    const int mine = threadIdx.x;
#endif
    cache[mine] = i;                                         // expect: out-of-bounds
    y[blockIdx.x * blockDim.x + threadIdx.x] = cache[mine];  // may: out-of-bounds
}

int main() {
    int *y, host[256] = {};
    cudaMalloc(&y, sizeof host);
    copy<<<2, 128>>>(y, 500);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    std::printf("%d\n", host[255]);
    return host[255] == 501 * 128 + 127 ? 0 : 1;
}
