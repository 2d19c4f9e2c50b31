// A sum in shared memory that begins with whatever lies there.
#include <cstdio>

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int total;
    if (threadIdx.x == 0) {
#ifndef BROKEN
        total = 0;
#endif
        for (int i = 0; i < n; ++i) total += x[i];  // expect: uninitialised
    }
    __syncthreads();
    result[threadIdx.x] = total;
}

int main() {
    int *x, *result, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(x, 32, result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", host[31]);
    return host[31] == 496 ? 0 : 1;
}
