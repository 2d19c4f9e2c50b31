// __syncwarp() orders the lanes of one warp; here two warps exchange values.
#include <cstdio>

__global__ void reverse(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
#ifdef BROKEN
    __syncwarp();
#else
    __syncthreads();
#endif
    x[t] = cache[63 - t];  // expect: race, other
}

int main() {
    int *x, host[64];
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 63 ? 0 : 1;
}
