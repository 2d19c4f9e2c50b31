// The host fills an array on the device, element by element.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

int main() {
    const int n = 32;
    int *x, host[n];
    cudaMalloc(&x, sizeof host);
#ifdef BROKEN
    for (int i = 0; i < n; ++i) x[i] = i;  // expect: host-touches-device
#else
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host[n - 1], 62);
}
