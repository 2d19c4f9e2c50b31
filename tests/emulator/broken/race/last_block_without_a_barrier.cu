// Thread 0 counts its block as done while other threads of the block have not stored yet.
#include <cstdio>

__global__ void sum(const int* x, int* parts, unsigned* count, int* result) {
    __shared__ bool last;
    const int t = threadIdx.x;
    parts[32 * blockIdx.x + t] = 2 * x[32 * blockIdx.x + t];  // expect: race
    __threadfence();
#ifndef BROKEN
    __syncthreads();
#endif
    if (t == 0) last = atomicAdd(count, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last || t > 0) return;
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < 32 * gridDim.x; ++i) total += parts[i];  // expect: race, other
    *result = total;
}

int main() {
    const int n = 128;
    int *x, *parts, *result, host[n], total = 0;
    unsigned* count;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&parts, sizeof host);
    cudaMalloc(&count, sizeof(unsigned));
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(unsigned));
    sum<<<4, 32>>>(x, parts, count, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    for (int* p : {x, parts, result}) cudaFree(p);
    cudaFree(count);
    std::printf("%d\n", total);
    return total == 16256 ? 0 : 1;
}
