// n / 64 blocks are one too few, and the last elements are never computed. The next kernel reads them.
#include <cstdio>

__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void twice(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // expect: uninitialised
}

int main() {
    const int n = 150;
    int *x, *y, host[n] = {};
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
#ifdef BROKEN
    fill<<<n / 64, 64>>>(x, n);
#else
    fill<<<(n + 63) / 64, 64>>>(x, n);
#endif
    twice<<<(n + 63) / 64, 64>>>(x, y, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 298 ? 0 : 1;
}
