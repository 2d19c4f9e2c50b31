// The bins are read while other threads still count in them.
#include <cstdio>

__global__ void histogram(const int* x, int* bins) {
    __shared__ int count[8];
    const int t = threadIdx.x;
    if (t < 8) count[t] = 0;
    __syncthreads();
    atomicAdd(&count[x[t] % 8], 1);  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    if (t < 8) bins[t] = count[t];  // expect: race, other
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
