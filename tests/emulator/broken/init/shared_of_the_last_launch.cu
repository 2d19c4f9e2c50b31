// Shared memory ends with its block: the next kernel does not find what the last one left there.
#include <cstdio>

__global__ void load_and_add(const int* x, int* y, bool load) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    if (load) cache[t] = x[t];
    __syncthreads();
    y[t] = cache[63 - t] + (load ? 0 : 1);  // expect: uninitialised
}

int main() {
    int *x, *y, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    load_and_add<<<1, 64>>>(x, y, true);
#ifdef BROKEN
    load_and_add<<<1, 64>>>(x, y, false);
#else
    load_and_add<<<1, 64>>>(x, y, true);
#endif
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    std::printf("%d\n", host[0]);
    return host[0] == 63 ? 0 : 1;
}
