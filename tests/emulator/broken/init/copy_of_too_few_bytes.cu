// cudaMemcpy() counts bytes, and sizeof was forgotten.
#include <cstdio>

__global__ void twice(const double* x, double* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    double *x, *y, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
#ifdef BROKEN
    cudaMemcpy(x, host, n, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%g\n", host[n - 1]);
    return host[n - 1] == 126 ? 0 : 1;
}
