// The counts of a thread begin with whatever lies in its local memory.
#include <cstdio>

__global__ void remainders(const int* x, int n, int* y) {
    int count[5];
#ifndef BROKEN
    for (int& c : count) c = 0;
#endif
    for (int i = 0; i < n; ++i) ++count[x[i] % 5];  // expect: uninitialised
    y[threadIdx.x] = count[threadIdx.x];            // may: uninitialised
}

int main() {
    const int n = 50;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 5 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    remainders<<<1, 5>>>(x, n, y);
    cudaMemcpy(host, y, 5 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[4]);
    return host[4] == 20 ? 0 : 1;
}
