// 64 threads look at their right neighbours in an array of 64.
#include <cstdio>

__global__ void differences(int* y) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t * t;
    __syncthreads();
#ifdef BROKEN
    const bool last = false;
#else
    const bool last = t == 63;
#endif
    y[t] = last ? 0 : cache[t + 1] - cache[t];  // expect: out-of-bounds
}

int main() {
    int *y, host[64] = {};
    cudaMalloc(&y, sizeof host);
    differences<<<1, 64>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    std::printf("%d\n", host[62]);
    return host[62] == 125 ? 0 : 1;
}
