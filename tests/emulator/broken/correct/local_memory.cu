// Local arrays, filled in loops, handed to functions, and a recursion that ends.
#include <cstdio>

__device__ void insert(int* sorted, int size, int value) {
    int i = size;
    for (; i > 0 && sorted[i - 1] > value; --i) sorted[i] = sorted[i - 1];
    sorted[i] = value;
}

__device__ int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
}

__global__ void median(const int* x, int* y) {
    int sorted[7];
    for (int i = 0; i < 7; ++i) insert(sorted, i, x[7 * threadIdx.x + i]);
    y[threadIdx.x] = gcd(sorted[3], 360);
}

int main() {
    const int n = 7 * 32;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, 32 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    median<<<1, 32>>>(x, y);
    cudaMemcpy(host, y, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);  // of 0 37 74 10 47 84 20
    return host[0] == 1 ? 0 : 1;
}
