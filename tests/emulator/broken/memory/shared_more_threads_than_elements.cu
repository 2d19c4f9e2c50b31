// The array is for 128 threads, the launch has 256.
#include <cstdio>

__global__ void reverse(int* x) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: out-of-bounds
    __syncthreads();
    x[t] = cache[blockDim.x - 1 - t];  // may: out-of-bounds
}

int main() {
    const int n = 256;
    int *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef BROKEN
    reverse<<<1, 256>>>(x);
#else
    reverse<<<1, 128>>>(x);
#endif
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 127 ? 0 : 1;
}
