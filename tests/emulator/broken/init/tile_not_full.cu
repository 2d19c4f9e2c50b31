// The last tile is loaded as far as there are elements, and read whole.
#include <cstdio>

__global__ void sums(const int* x, int n, int* y) {
    __shared__ int tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
#ifdef BROKEN
    if (i < n) tile[t] = x[i];
#else
    tile[t] = i < n ? x[i] : 0;
#endif
    __syncthreads();
    int total = 0;
    for (int j = 0; j < 64; ++j) total += tile[j];  // expect: uninitialised
    if (t == 0) y[blockIdx.x] = total;
}

int main() {
    const int n = 100;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 2 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<2, 64>>>(x, n, y);
    cudaMemcpy(host, y, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[1]);
    return host[1] == 2934 ? 0 : 1;
}
