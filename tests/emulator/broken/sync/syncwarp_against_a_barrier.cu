// Some lanes wait for their warp, the rest of the warp waits for the block.
#include <cstdio>

__global__ void work(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t;
#ifdef BROKEN
    if (t % 32 < 8) __syncwarp();  // expect: warp-mask
#else
    if (t % 32 < 8) __syncwarp(0xff);
#endif
    __syncthreads();  // may: divergent-barrier, warp-mask
    x[t] = cache[63 - t];
}

int main() {
    int *x, host[64] = {};
    cudaMalloc(&x, sizeof host);
    work<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 63 ? 0 : 1;
}
