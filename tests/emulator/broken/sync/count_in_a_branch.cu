// __syncthreads_count() is a barrier, too.
#include <cstdio>

__global__ void positive(const int* x, int n, int* result) {
    const int t = threadIdx.x;
    int count = 0;
#ifdef BROKEN
    if (t < n) count = __syncthreads_count(x[t] > 0);  // expect: divergent-barrier
#else
    count = __syncthreads_count(t < n && x[t] > 0);
#endif
    if (t == 0) *result = count;
}

int main() {
    const int n = 50;
    int *x, *result, host[n], count = 0;
    for (int i = 0; i < n; ++i) host[i] = i - 20;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof count);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    positive<<<1, 64>>>(x, n, result);
    cudaMemcpy(&count, result, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", count);
    return count == 29 ? 0 : 1;
}
