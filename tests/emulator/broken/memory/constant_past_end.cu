// A filter of five coefficients is walked through from -3 to 3.
#include <cstdio>

__constant__ float coefficient[5];

__global__ void filter(const float* x, float* y, int radius) {
    const int i = threadIdx.x + 3;
    float sum = 0;
    for (int j = 0; j <= 2 * radius; ++j) sum += coefficient[j] * x[i + j - radius];  // expect: out-of-bounds
    y[threadIdx.x] = sum;
}

int main() {
    const int n = 32;
    float *x, *y, host[n + 6];
    const float weights[5] = {1, 2, 3, 2, 1};
    for (int i = 0; i < n + 6; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, n * sizeof(float));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(coefficient, weights, sizeof weights);
#ifdef BROKEN
    filter<<<1, n>>>(x, y, 3);
#else
    filter<<<1, n>>>(x, y, 2);
#endif
    cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%g\n", host[0]);
    return host[0] == 27 ? 0 : 1;
}
