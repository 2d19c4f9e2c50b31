// Warp-synchronous code of the old days: volatile keeps the values out of registers, and orders nothing.
#include <cstdio>

#ifdef BROKEN
#define STEP_ENDS ((void)0)
#else
#define STEP_ENDS __syncwarp()
#endif

__device__ void last_warp(volatile int* cache, int t) {
    for (int step = 16; step > 0; step /= 2) {
        if (t < step) cache[t] = cache[t] + cache[t + step];  // expect: race
        STEP_ENDS;
    }
}

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[32];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    last_warp(cache, t);
    if (t == 0) *result = cache[0];
}

int main() {
    int *x, *result, host[32], total = 0;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 496 ? 0 : 1;
}
