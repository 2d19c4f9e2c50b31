// The threads go through the loop three or four times, and there is a barrier in it.
#include <cstdio>

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
#ifdef BROKEN
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&total, x[i]);
        __syncthreads();  // expect: divergent-barrier
    }
#else
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, x[i]);
#endif
    __syncthreads();  // may: divergent-barrier
    if (threadIdx.x == 0) *result = total;
}

int main() {
    const int n = 200;
    int *x, *result, host[n], total = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof total);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(x, n, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    std::printf("%d\n", total);
    return total == 19900 ? 0 : 1;
}
