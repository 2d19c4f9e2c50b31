// Each block has shared memory of its own; block 0 cannot fill it for all.
#include <cstdio>

__global__ void scale(int* x) {
    __shared__ int factor;
#ifdef BROKEN
    if (blockIdx.x == 0 && threadIdx.x == 0) factor = 3;
#else
    if (threadIdx.x == 0) factor = 3;
#endif
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;  // expect: uninitialised
}

int main() {
    int *x, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<2, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[63]);
    return host[63] == 189 ? 0 : 1;
}
