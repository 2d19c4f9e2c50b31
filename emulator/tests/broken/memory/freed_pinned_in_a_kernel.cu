// A kernel reads pinned host memory that was freed.
#include "../arrays.h"

__global__ void twice(const int* x, int* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: use-after-free
}

int main() {
    const int n = 32;
    int *x, *y, host[n] = {};
    cudaMallocHost(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    for (int i = 0; i < n; ++i) x[i] = i;
#ifdef BROKEN
    cudaFreeHost(x);
    twice<<<1, n>>>(x, y);
#else
    twice<<<1, n>>>(x, y);
    cudaDeviceSynchronize();
    cudaFreeHost(x);
#endif
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    return differs(host[n - 1], 62);
}
