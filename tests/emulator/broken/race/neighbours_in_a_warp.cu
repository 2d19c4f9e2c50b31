// Each lane leaves a value for its neighbour and takes one at once: lanes of a warp do not run in lockstep.
#include <cstdio>

__global__ void exchange(int* x) {
    __shared__ int cache[32];
    const int lane = threadIdx.x;
    cache[lane] = x[lane];  // expect: race
#ifndef BROKEN
    __syncwarp();
#endif
    x[lane] = cache[lane ^ 1];  // expect: race, other
}

int main() {
    int *x, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    exchange<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 1 && host[31] == 30 ? 0 : 1;
}
