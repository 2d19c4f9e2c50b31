// i / 2 is the same for two threads, and they store different values.
#include <cstdio>

__global__ void halve(const int* x, int* y) {
    const int i = threadIdx.x;
#ifdef BROKEN
    y[i / 2] = x[i];  // expect: race
#else
    if (i % 2 == 1) y[i / 2] = x[i];
#endif
}

int main() {
    int *x, *y, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host / 2);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    halve<<<1, 64>>>(x, y);
    cudaMemcpy(host, y, sizeof host / 2, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[31]);
    return host[31] == 63 ? 0 : 1;
}
