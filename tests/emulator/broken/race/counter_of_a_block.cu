// All threads of a block add to one counter in global memory.
#include <cstdio>

__global__ void count(const int* x, int* even) {
#ifdef BROKEN
    if (x[threadIdx.x] % 2 == 0) *even += 1;  // expect: race
#else
    if (x[threadIdx.x] % 2 == 0) atomicAdd(even, 1);
#endif
}

int main() {
    int *x, *even, host[64], result = 0;
    for (int i = 0; i < 64; ++i) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&even, sizeof result);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(even, 0, sizeof result);
    count<<<1, 64>>>(x, even);
    cudaMemcpy(&result, even, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(even);
    std::printf("%d\n", result);
    return result == 32 ? 0 : 1;
}
