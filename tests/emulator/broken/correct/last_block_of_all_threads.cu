// All threads store, then a barrier, a fence and one atomic for the block; all threads of the last block read.
#include <cstdio>

__global__ void sum(const int* x, int* parts, unsigned* count, int* result) {
    __shared__ bool last;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    parts[i] = x[i] * x[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += parts[block * blockDim.x + t];
    atomicAdd(result, total);
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
    cudaMemset(result, 0, sizeof total);
    sum<<<4, 32>>>(x, parts, count, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    std::printf("%d\n", total);
    return total == 690880 ? 0 : 1;
}
