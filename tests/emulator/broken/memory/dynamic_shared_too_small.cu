// The launch asks for as many bytes as there are threads, and not for as many ints.
#include <cstdio>

__global__ void reverse(int* x) {
    extern __shared__ int cache[];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[blockDim.x - 1 - t];  // may: out-of-bounds
}

int main() {
    const int n = 100;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    reverse<<<1, n, n>>>(x);
#else
    reverse<<<1, n, n * sizeof(int)>>>(x);
#endif
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == n - 1 ? 0 : 1;
}
