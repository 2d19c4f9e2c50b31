// An object that owns memory is passed to a kernel by value: the destructor of the copy frees the memory.
#include "../arrays.h"

struct Numbers {
    int* data;
    explicit Numbers(int n) { cudaMalloc(&data, n * sizeof(int)); }
    __host__ __device__ ~Numbers() {
#ifndef __CUDA_ARCH__
        cudaFree(data);  // may: double-free
#endif
    }
};

#ifdef BROKEN
__global__ void fill(Numbers numbers) {
    numbers.data[threadIdx.x] = threadIdx.x;
}
#else
__global__ void fill(int* data) {
    data[threadIdx.x] = threadIdx.x;
}
#endif

int main() {
    const int n = 32;
    int host[n] = {};
    {
        Numbers numbers(n);
#ifdef BROKEN
        fill<<<1, n>>>(numbers);
#else
        fill<<<1, n>>>(numbers.data);
#endif
        cudaMemcpy(host, numbers.data, sizeof host, cudaMemcpyDeviceToHost);  // expect: use-after-free
    }
    return differs(host[n - 1], n - 1);
}
