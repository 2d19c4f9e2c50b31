// A buffer is replaced by a larger one; the kernel still writes to the old one.
#include "../arrays.h"

__global__ void fill(int* x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;  // expect: use-after-free
}

int main() {
    const int n = 100;
    int *x, *larger, host[n] = {};
    cudaMalloc(&x, n * sizeof(int));
    fill<<<1, 32>>>(x, n);
    cudaFree(x);
    cudaMalloc(&larger, 2 * n * sizeof(int));
#ifdef BROKEN
    fill<<<1, 32>>>(x, n);
#else
    fill<<<1, 32>>>(larger, n);
#endif
    cudaMemcpy(host, larger, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(larger);
    return differs(host[n - 1], n - 1);
}
