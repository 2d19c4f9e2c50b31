// c += a * b, and nothing was ever stored in c.
#include <cstdio>

__global__ void dot(const float* a, const float* b, float* c, int n) {
    for (int k = 0; k < n; ++k) c[threadIdx.x] += a[threadIdx.x * n + k] * b[k];  // expect: uninitialised
}

int main() {
    const int n = 8;
    float *a, *b, *c, host[n * n];
    for (int i = 0; i < n * n; ++i) host[i] = i % n;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, n * sizeof(float), cudaMemcpyHostToDevice);
#ifndef BROKEN
    cudaMemset(c, 0, n * sizeof(float));
#endif
    dot<<<1, n>>>(a, b, c, n);
    cudaMemcpy(host, c, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float* p : {a, b, c}) cudaFree(p);
    std::printf("%g\n", host[n - 1]);
    return host[n - 1] == 140 ? 0 : 1;
}
