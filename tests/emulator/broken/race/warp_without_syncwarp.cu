// The tree's last 32 sums are left to one warp, without any synchronisation, as people did before Volta.
#include <cstdio>

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    if (t < 32) {
        for (int step = 32; step > 0; step /= 2) {
            const int other = t < step ? cache[t + step] : 0;  // expect: race
#ifndef BROKEN
            __syncwarp();
#endif
            cache[t] += other;  // expect: race, other
#ifndef BROKEN
            __syncwarp();
#endif
        }
    }
    if (t == 0) *result = cache[0];
}

int main() {
    int *x, *result, host[64], total = 0;
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 2016 ? 0 : 1;
}
