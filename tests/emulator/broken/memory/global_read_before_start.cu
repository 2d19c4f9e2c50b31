// Element 0 has no neighbour on its left.
#include <cstdio>

__global__ void differences(const int* x, int* y) {
    const int i = threadIdx.x;
#ifdef BROKEN
    y[i] = x[i] - x[i - 1];  // expect: out-of-bounds
#else
    y[i] = x[i] - (i > 0 ? x[i - 1] : 0);
#endif
}

int main() {
    const int n = 96;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    differences<<<1, n>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 189 ? 0 : 1;
}
