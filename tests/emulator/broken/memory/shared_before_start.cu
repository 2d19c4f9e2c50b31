// Thread 0 looks at its left neighbour in shared memory.
#include <cstdio>

__global__ void differences(int* y) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t * t;
    __syncthreads();
#ifdef BROKEN
    const bool first = t < 0;
#else
    const bool first = t == 0;
#endif
    y[t] = first ? 0 : cache[t] - cache[t - 1];  // expect: out-of-bounds
}

int main() {
    int *y, host[64] = {};
    cudaMalloc(&y, sizeof host);
    differences<<<1, 64>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    std::printf("%d\n", host[63]);
    return host[63] == 125 ? 0 : 1;
}
