// cudaMemset() counts bytes; 64 of them are a quarter of 64 ints.
#include <cstdio>

__global__ void increment(int* x) {
    x[threadIdx.x] += 1;  // expect: uninitialised
}

int main() {
    const int n = 64;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
#ifdef BROKEN
    cudaMemset(x, 0, n);
#else
    cudaMemset(x, 0, n * sizeof(int));
#endif
    increment<<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 1 ? 0 : 1;
}
