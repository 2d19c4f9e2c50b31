// Destination first, source second: here they are exchanged.
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
    cudaMemcpy(x, host, sizeof host, cudaMemcpyDeviceToHost);  // expect: invalid-copy
#else
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
#endif
    cudaFree(x);
    return differs(host[n - 1], n - 1);
}
