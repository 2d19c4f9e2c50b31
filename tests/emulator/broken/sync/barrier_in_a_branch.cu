// Only half of the threads come to the barrier.
#include <cstdio>

__global__ void sum(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t;
    __syncthreads();
#ifdef BROKEN
    if (t < 32) {
        cache[t] += cache[t + 32];
        __syncthreads();  // expect: divergent-barrier
    }
#else
    if (t < 32) cache[t] += cache[t + 32];
    __syncthreads();
#endif
    x[t] = cache[t];
}

int main() {
    int *x, host[64] = {};
    cudaMalloc(&x, sizeof host);
    sum<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[31]);
    return host[31] == 94 ? 0 : 1;
}
