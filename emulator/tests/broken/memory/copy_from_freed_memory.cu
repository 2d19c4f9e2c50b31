// The result is copied after the memory that holds it was freed.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 32;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<1, n>>>(x);
#ifdef BROKEN
    cudaFree(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);  // expect: use-after-free
#else
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
#endif
    return differs(host[n - 1], n - 1);
}
