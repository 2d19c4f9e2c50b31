// Shared memory does not begin at zero.
#include <cstdio>

__global__ void histogram(const int* x, int* bins) {
    __shared__ int count[8];
    const int t = threadIdx.x;
#ifndef BROKEN
    if (t < 8) count[t] = 0;
#endif
    __syncthreads();
    atomicAdd(&count[x[t] % 8], 1);  // expect: uninitialised
    __syncthreads();
    if (t < 8) bins[t] = count[t];  // may: uninitialised
}

int main() {
    const int n = 96;
    int *x, *bins, host[n];
    for (int i = 0; i < n; ++i) host[i] = 3 * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&bins, 8 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    histogram<<<1, n>>>(x, bins);
    cudaMemcpy(host, bins, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(bins);
    std::printf("%d\n", host[7]);
    return host[7] == 12 ? 0 : 1;
}
