// A block that has nothing to do returns before the barrier, with all of its threads.
#include <cstdio>

__global__ void reverse(int* x, int n) {
    __shared__ int cache[32];
    const int t = threadIdx.x, block = blockIdx.x, i = 32 * block + t;
    if (32 * block >= n) return;
    cache[t] = x[i];
    __syncthreads();
    x[i] = cache[31 - t];
}

int main() {
    const int n = 64;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<4, 32>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[32]);
    return host[32] == 63 ? 0 : 1;
}
