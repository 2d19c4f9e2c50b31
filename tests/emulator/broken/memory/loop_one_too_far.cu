// <= where < belongs.
#include <cstdio>

__global__ void sum(const int* x, int n, int* result) {
    int total = 0;
#ifdef BROKEN
    for (int i = 0; i <= n; ++i)
#else
    for (int i = 0; i < n; ++i)
#endif
        total += x[i];  // expect: out-of-bounds
    *result = total;
}

int main() {
    const int n = 33;
    int *x, *result, host[n], total = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(x, n, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 528 ? 0 : 1;
}
