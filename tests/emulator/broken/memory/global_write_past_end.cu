// The last block has more threads than there are elements left, and nobody asks whether i < n.
#include <cstdio>

__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    x[i] = i % n;  // expect: out-of-bounds
#else
    if (i < n) x[i] = i % n;
#endif
}

int main() {
    const int n = 1000;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<4, 256>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 999 ? 0 : 1;
}
