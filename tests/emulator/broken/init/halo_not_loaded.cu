// The tile's two outer cells are left to nobody.
#include <cstdio>

__global__ void smooth(const int* x, int* y) {
    extern __shared__ int tile[];
    const int t = threadIdx.x;
    tile[t + 1] = x[t];
#ifndef BROKEN
    if (t == 0) tile[0] = tile[blockDim.x + 1] = 0;
#endif
    __syncthreads();
    y[t] = tile[t] + tile[t + 1] + tile[t + 2];  // expect: uninitialised
}

int main() {
    int *x, *y, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    smooth<<<1, 64, 66 * sizeof(int)>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[63]);
    return host[63] == 125 ? 0 : 1;
}
