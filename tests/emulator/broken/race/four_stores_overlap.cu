// Each thread stores four floats and moves on by three: the stores overlap.
#include <cstdio>

#ifdef BROKEN
constexpr int distance = 3;
#else
constexpr int distance = 4;
#endif

__device__ void store(float* x, float value) {
    for (int i = 0; i < 4; ++i) x[i] = value + i;  // expect: race
}

__global__ void fill(float* x) {
    store(x + distance * threadIdx.x, 4 * threadIdx.x);
}

int main() {
    float *x, host[128] = {};
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    fill<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%g\n", host[127]);
    return host[127] == 127 ? 0 : 1;
}
