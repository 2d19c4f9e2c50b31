// An inclusive scan: the sum is stored while others still read the old value.
#include <cstdio>

__global__ void scan(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
        const int left = t >= distance ? cache[t - distance] : 0;  // expect: race
#ifndef BROKEN
        __syncthreads();
#endif
        cache[t] += left;  // expect: race, other
        __syncthreads();
    }
    x[t] = cache[t];
}

int main() {
    int *x, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    scan<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[63]);
    return host[63] == 2016 ? 0 : 1;
}
