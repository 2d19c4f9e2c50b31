// Neighbours are exchanged in phases; without a barrier a phase begins before the last one has ended.
#include <cstdio>

__global__ void sort(int* x, int n) {
    __shared__ int a[64];
    const int t = threadIdx.x;
    a[t] = x[t];
    a[t + 32] = x[t + 32];
    __syncthreads();
    for (int phase = 0; phase < n; ++phase) {
        const int i = 2 * t + phase % 2;
        if (i + 1 < n) {
            const int left = a[i], right = a[i + 1];  // expect: race
            a[i] = min(left, right);                  // may: race
            a[i + 1] = max(left, right);              // expect: race, other
        }
#ifndef BROKEN
        __syncthreads();
#endif
    }
    __syncthreads();
    x[t] = a[t];
    x[t + 32] = a[t + 32];
}

int main() {
    int *x, host[64];
    for (int i = 0; i < 64; ++i) host[i] = 63 - i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sort<<<1, 32>>>(x, 64);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 0 && host[63] == 63 ? 0 : 1;
}
