// The window of the last four values is read before four values have gone into it.
#include <cstdio>

__global__ void moving_sum(const int* x, int* y, int n) {
    int last[4];
#ifndef BROKEN
    for (int i = 0; i < 4; ++i) last[i] = 0;
#endif
    for (int i = 0; i < n; ++i) {
        last[i % 4] = x[i];
        int sum = 0;
        for (int j = 0; j < 4; ++j) sum += last[j];  // expect: uninitialised
        y[i] = sum;
    }
}

int main() {
    const int n = 20;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    moving_sum<<<1, 1>>>(x, y, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[n - 1]);
    return host[n - 1] == 70 ? 0 : 1;
}
