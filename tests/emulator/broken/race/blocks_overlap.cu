// Each block begins one element too early, where its neighbour has its last one.
#include <cstdio>

__global__ void fill(int* x) {
#ifdef BROKEN
    const int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
#else
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    x[i] = 10 * blockIdx.x + threadIdx.x;  // expect: race
}

int main() {
    int *x, host[128] = {};
    cudaMalloc(&x, sizeof host);
    fill<<<2, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[126]);
    return host[126] == 72 ? 0 : 1;
}
