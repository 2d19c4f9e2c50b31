// What one thread has just stored in shared memory is read by another.
#include <cstdio>

__global__ void rotate(int* x) {
    __shared__ int cache[100];
    const int t = threadIdx.x;
    cache[(t + 1) % 100] = x[t];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    x[t] = cache[t];  // expect: race, other
}

int main() {
    int *x, host[100];
    for (int i = 0; i < 100; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<1, 100>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 99 ? 0 : 1;
}
