// Threads without an element return at once; the others wait for them at the barrier.
#include <cstdio>

__global__ void reverse(int* x, int n) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t >= n) return;
    cache[t] = x[t];
    __syncthreads();  // expect: divergent-barrier
    x[t] = cache[n - 1 - t];
#else
    if (t < n) cache[t] = x[t];
    __syncthreads();
    if (t < n) x[t] = cache[n - 1 - t];
#endif
}

int main() {
    const int n = 100;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 128>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == n - 1 ? 0 : 1;
}
