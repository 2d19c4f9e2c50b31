// The index is multiplied by the width once more than it should be.
#include <cstdio>

__global__ void fill(int* x, int width) {
    const int row = blockIdx.x, column = threadIdx.x;
#ifdef BROKEN
    x[row * width * width + column * width] = row + column;  // expect: out-of-bounds
#else
    x[row * width + column] = row + column;
#endif
}

int main() {
    const int width = 256, rows = 3;
    int *x, host[rows * width] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<rows, width>>>(x, width);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[rows * width - 1]);
    return host[rows * width - 1] == 257 ? 0 : 1;
}
