// Memory that the host has written in one way or another: memset, copies of all kinds, managed, pinned.
#include "../arrays.h"

__global__ void sum(const int* a, const int* b, const int* c, const int* d, int* y) {
    const int t = threadIdx.x;
    y[t] = a[t] + b[t] + c[t] + d[t];
}

int main() {
    const int n = 32;
    int *a, *b, *c, *d, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMallocManaged(&c, sizeof host);
    cudaMallocHost(&d, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemset(a, 0, sizeof host / 2);
    cudaMemsetAsync(a + n / 2, 0, sizeof host / 2);
    cudaMemcpy(a + 3, host + 3, sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(b, 8, host, 8, 4, n / 2, cudaMemcpyHostToDevice);
    for (int i = 0; i < n; ++i) c[i] = 100 * i, d[i] = 1;
    sum<<<1, n>>>(a, b, c, d, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(c);
    cudaFreeHost(d);
    return differs(host[3], 307) || differs(host[30], 3031);
}
