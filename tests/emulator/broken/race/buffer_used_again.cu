// The next tile is loaded while others still read the last one.
#include <cstdio>

__global__ void sums(const int* x, int n, int* y) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    int total = 0;
    for (int first = 0; first < n; first += 64) {
        tile[t] = x[first + t];  // expect: race
        __syncthreads();
        for (int i = 0; i <= t; ++i) total += tile[i];  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
    y[t] = total;
}

int main() {
    const int n = 192;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(x, n, y);
    cudaMemcpy(host, y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[63]);
    return host[63] == 18336 ? 0 : 1;
}
