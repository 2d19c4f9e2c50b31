// A local table is asked with an index that comes from the data.
#include <cstdio>

__global__ void decode(const int* x, int* y) {
    int power[8];
    for (int i = 0; i < 8; ++i) power[i] = 1 << i;
#ifdef BROKEN
    y[threadIdx.x] = power[x[threadIdx.x]];  // expect: out-of-bounds
#else
    y[threadIdx.x] = power[x[threadIdx.x] & 7];
#endif
}

int main() {
    const int n = 32;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = 1600 * i + i % 8;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    decode<<<1, n>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[31]);
    return host[31] == 128 ? 0 : 1;
}
