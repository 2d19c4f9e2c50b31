// std::memcpy() on device memory: "cuda" was forgotten.
#include <cstring>

#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 128;
    int *x, host[n] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<1, n>>>(x);
    cudaDeviceSynchronize();
#ifdef BROKEN
    std::memcpy(host, x, sizeof host);  // expect: host-touches-device
#else
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
#endif
    cudaFree(x);
    return differs(host[n - 1], n - 1);
}
