// The copy has the size of doubles, the allocation that of floats.
#include <cstdio>

__global__ void twice(float* x) {
    x[threadIdx.x] *= 2;  // may: uninitialised
}

int main() {
    const int n = 100;
    float *x, host[2 * n];
    for (int i = 0; i < 2 * n; ++i) host[i] = i;
    cudaMalloc(&x, n * sizeof(float));
#ifdef BROKEN
    cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);  // expect: invalid-copy
#else
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
#endif
    twice<<<1, n>>>(x);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%g\n", host[n - 1]);
    return host[n - 1] == 198 ? 0 : 1;
}
