// A float4 has to lie at a multiple of 16 bytes; x + 1 does not.
#include <cstdio>

__global__ void first_of_four(const float* x, float* y) {
#ifdef BROKEN
    const float* begin = x + 1;
#else
    const float* begin = x + 4;
#endif
    const float4 v = reinterpret_cast<const float4*>(begin)[threadIdx.x];  // expect: misaligned
    y[threadIdx.x] = v.x + v.w;
}

int main() {
    const int n = 8;
    float *x, *y, host[4 * n + 4];
    for (int i = 0; i < 4 * n + 4; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, n * sizeof(float));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    first_of_four<<<1, n>>>(x, y);
    cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%g\n", host[0]);
    return host[0] == 11 ? 0 : 1;
}
