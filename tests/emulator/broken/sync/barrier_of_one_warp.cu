// Two warps divide the work; the one that stores waits for the other, which does not come.
#include <cstdio>

__global__ void work(int* x) {
    __shared__ int cache[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) cache[lane] = 3 * lane;
#ifdef BROKEN
    if (warp == 0) __syncthreads();  // expect: divergent-barrier
    if (warp == 0) x[lane] = cache[31 - lane];
#else
    __syncthreads();
    if (warp == 1) x[lane] = cache[31 - lane];
#endif
}

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    work<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 93 ? 0 : 1;
}
