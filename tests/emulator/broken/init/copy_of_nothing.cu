// What was never written stays so when it is copied to another place on the device.
#include <cstdio>

__global__ void fill(int* x, int n) {
    const int i = threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void negate(int* x) {
    x[threadIdx.x] = -x[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    int *x, *y, host[n] = {};
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
#ifdef BROKEN
    fill<<<1, 64>>>(x, n / 2);
#else
    fill<<<1, 64>>>(x, n);
#endif
    cudaMemcpy(y, x, sizeof host, cudaMemcpyDeviceToDevice);
    negate<<<1, n>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == -63 ? 0 : 1;
}
