// cudaMalloc() clears nothing, and the bins are counted in at once.
#include <cstdio>

__global__ void histogram(const int* x, int* bins) {
    atomicAdd(&bins[x[threadIdx.x] % 8], 1);  // expect: uninitialised
}

int main() {
    const int n = 96;
    int *x, *bins, host[n];
    for (int i = 0; i < n; ++i) host[i] = 3 * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&bins, 8 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifndef BROKEN
    cudaMemset(bins, 0, 8 * sizeof(int));
#endif
    histogram<<<1, n>>>(x, bins);
    cudaMemcpy(host, bins, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(bins);
    std::printf("%d\n", host[7]);
    return host[7] == 12 ? 0 : 1;
}
