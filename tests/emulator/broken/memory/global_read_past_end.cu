// The last element has no neighbour on its right, and is asked for it all the same.
#include <cstdio>

__global__ void differences(const int* x, int* y, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    const bool inside = i < n;
#else
    const bool inside = i + 1 < n;
#endif
    if (inside) y[i] = x[i + 1] - x[i];  // expect: out-of-bounds
}

int main() {
    const int n = 100;
    int *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    differences<<<1, 128>>>(x, y, n);
    cudaMemcpy(host, y, (n - 1) * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[n - 2]);
    return host[n - 2] == 197 ? 0 : 1;
}
