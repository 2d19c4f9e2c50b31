// Memory that was freed has lost its values, even if it is the same memory again.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;  // expect: uninitialised
}

int main() {
    const int n = 64;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<1, n>>>(x);
#ifdef BROKEN
    cudaFree(x);
    cudaMalloc(&x, sizeof host);
#endif
    twice<<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host[n - 1], 126);
}
