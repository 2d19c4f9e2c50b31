// Every thread overwrites what its neighbours, in other blocks too, have yet to read.
#include <cstdio>

__global__ void smooth(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) {
        const int sum = x[i - 1] + x[i] + x[i + 1];  // expect: race
        y[i] = sum / 3;                              // expect: race, other
    }
}

int main() {
    const int n = 128;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = 3 * i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    smooth<<<2, 64>>>(x, x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
#else
    smooth<<<2, 64>>>(x, y, n);
    cudaMemcpy(host + 1, y + 1, (n - 2) * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[2]);
    return host[2] == 14 ? 0 : 1;
}
