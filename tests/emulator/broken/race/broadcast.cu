// Thread 0 fetches a value for all of them, and they do not wait for it.
#include <cstdio>

__global__ void scale(int* x, const int* factor) {
    __shared__ int f;
    const int t = threadIdx.x;
    if (t == 0) f = *factor;  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    x[t] *= f;  // expect: race, other
}

int main() {
    int *x, *factor, host[64], three = 3;
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&factor, sizeof three);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(factor, &three, sizeof three, cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(x, factor);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(factor);
    std::printf("%d\n", host[63]);
    return host[63] == 189 ? 0 : 1;
}
