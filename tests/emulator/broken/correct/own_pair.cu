// A reversal in place: each thread owns two elements, wherever they lie.
#include <cstdio>

__global__ void reverse(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const int left = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = left;
}

int main() {
    const int n = 101;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<2, 32>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[50]);
    return host[0] == 100 && host[50] == 50 ? 0 : 1;
}
