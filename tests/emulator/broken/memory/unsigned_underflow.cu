// 0u - 1 is 4,294,967,295, which passes for an index.
#include <cstdio>

__global__ void rotate(const int* x, int* y) {
    const unsigned i = threadIdx.x;
#ifdef BROKEN
    y[i] = x[i - 1];  // expect: out-of-bounds
#else
    y[i] = x[(i + blockDim.x - 1) % blockDim.x];
#endif
}

int main() {
    const int n = 100;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<1, n>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[0]);
    return host[0] == n - 1 ? 0 : 1;
}
