// The allocation was too large, nobody looked, and the kernel gets the null pointer.
#include "../arrays.h"

__global__ void fill(char* x) {
    x[threadIdx.x] = 7;  // expect: out-of-bounds
}

int main() {
    char *x = nullptr, host[32] = {};
#ifdef BROKEN
    cudaMalloc(&x, size_t{1} << 60);  // may: failed-call
#else
    cudaMalloc(&x, size_t{1} << 10);
#endif
    fill<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host[31], 7);
}
