// cudaMalloc() is told the number of elements where it wants bytes.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;  // expect: out-of-bounds
}

int main() {
    const int n = 128;
    int *x, host[n] = {};
#ifdef BROKEN
    cudaMalloc(&x, n);
#else
    cudaMalloc(&x, n * sizeof(int));
#endif
    fill<<<1, n>>>(x);
    cudaMemcpy(host, x, n, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host[31], 31);
}
