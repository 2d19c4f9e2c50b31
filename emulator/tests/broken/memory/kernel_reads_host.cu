// The kernel is given the host's array instead of the copy that was made of it.
#include "../arrays.h"

__global__ void twice(const int* x, int* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: device-touches-host
}

int main() {
    const int n = 32;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    twice<<<1, n>>>(host, y);
#else
    twice<<<1, n>>>(x, y);
#endif
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return differs(host[n - 1], 62);
}
