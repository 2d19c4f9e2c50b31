// Too many bytes are copied into an array on the stack, and there is no memory behind that.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 32;
    int *x, host[n] = {};
#ifdef BROKEN
    const std::size_t bytes = std::size_t{1} << 30;
#else
    const std::size_t bytes = sizeof host;
#endif
    cudaMalloc(&x, sizeof host);
    fill<<<1, n>>>(x);
    cudaMemcpy(host, x, bytes, cudaMemcpyDeviceToHost);  // expect: invalid-copy
    cudaFree(x);
    return differs(host[n - 1], n - 1);
}
