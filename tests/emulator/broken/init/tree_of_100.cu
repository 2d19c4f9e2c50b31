// A tree that halves a power of two adds up 128 elements; there are 100.
#include <cstdio>

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t < n) cache[t] = x[t];
#else
    cache[t] = t < n ? x[t] : 0;
#endif
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) cache[t] += cache[t + step];  // expect: uninitialised
        __syncthreads();
    }
    if (t == 0) *result = cache[0];
}

int main() {
    int *x, *result, host[100], total = 0;
    for (int i = 0; i < 100; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(x, 100, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 4950 ? 0 : 1;
}
