// The input never went to the device.
#include <cstdio>

__global__ void add(const int* a, const int* b, int* c) {
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    int *a, *b, *c, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    for (int** p : {&a, &b, &c}) cudaMalloc(p, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
#ifndef BROKEN
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
#endif
    add<<<1, n>>>(a, b, c);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    for (int* p : {a, b, c}) cudaFree(p);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 126 ? 0 : 1;
}
