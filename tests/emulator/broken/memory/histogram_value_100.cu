// Values 0 ... 100 in ten bins of ten: 100 belongs to an eleventh.
#include <cstdio>

__global__ void histogram(const int* x, int n, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef BROKEN
    const int bin = x[i] / 10;
#else
    const int bin = min(x[i] / 10, 9);
#endif
    atomicAdd(&bins[bin], 1);  // expect: out-of-bounds
}

int main() {
    const int n = 303;
    int *x, *bins, host[n], counts[10] = {};
    for (int i = 0; i < n; ++i) host[i] = i % 101;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&bins, sizeof counts);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof counts);
    histogram<<<3, 128>>>(x, n, bins);
    cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(bins);
    std::printf("%d\n", counts[9]);
    return counts[9] == 33 ? 0 : 1;
}
