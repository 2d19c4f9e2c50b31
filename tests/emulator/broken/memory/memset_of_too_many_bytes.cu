// cudaMemset() counts in bytes already.
#include <cstdio>

__global__ void increment(char* x) {
    ++x[threadIdx.x];
}

int main() {
    const int n = 64;
    char *x, host[n] = {};
    cudaMalloc(&x, n);
    cudaMemset(x, 0, n);
#ifdef BROKEN
    cudaMemset(x, 4, n * sizeof(int));  // expect: invalid-copy
#else
    cudaMemset(x, 4, n);
#endif
    increment<<<1, n>>>(x);
    cudaMemcpy(host, x, n, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 5 ? 0 : 1;
}
