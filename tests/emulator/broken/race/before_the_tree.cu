// No barrier between the stores to shared memory and the tree that adds them up.
#include <cstdio>

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) cache[t] += cache[t + step];  // expect: race, other
        __syncthreads();
    }
    if (t == 0) *result = cache[0];
}

int main() {
    int *x, *result, host[128], total = 0;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(x, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 8128 ? 0 : 1;
}
