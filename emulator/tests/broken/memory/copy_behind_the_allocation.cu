// The second half is copied to an offset that was counted in bytes, and the pointer counts in elements.
#include "../arrays.h"

__global__ void twice(int* x) {
    x[threadIdx.x] *= 2;
}

int main() {
    const int n = 1000, half = n / 2;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    cudaMemcpy(x, host, sizeof host / 2, cudaMemcpyHostToDevice);
#ifdef BROKEN
    cudaMemcpy(x + half * sizeof(int), host + half, sizeof host / 2, cudaMemcpyHostToDevice);  // expect: invalid-copy
#else
    cudaMemcpy(x + half, host + half, sizeof host / 2, cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return differs(host[n - 1], 2 * (n - 1));
}
