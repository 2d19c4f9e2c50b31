// The kernel is launched with a pointer that was freed in the line before.
#include "../arrays.h"

__global__ void add(int* x, int* y) {
    y[threadIdx.x] += x[threadIdx.x];  // expect: use-after-free
}

int main() {
    const int n = 32;
    int *x, *y, host[n] = {};
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemset(x, 1, sizeof host);
    cudaMemset(y, 2, sizeof host);
#ifdef BROKEN
    cudaFree(x);
    add<<<1, n>>>(x, y);
#else
    add<<<1, n>>>(x, y);
    cudaFree(x);
#endif
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    return differs(host[n - 1], 0x03030303);
}
