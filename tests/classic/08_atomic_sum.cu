// A sum of managed ints that overflows, with two barriers in each step of the tree and one atomic for each block.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 100000
#define THREADS 256
#define BLOCKS 32

__managed__ int source[N];
__managed__ int total[1] = {0};

__global__ void add_up(int* in, int n, int* out) {
    __shared__ int sums[THREADS];
    int sum = 0;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int length = THREADS / 2; length >= 1; length /= 2) {
        int both = 0;
        if (threadIdx.x < length) both = sums[threadIdx.x] + sums[threadIdx.x + length];
        __syncthreads();
        if (threadIdx.x < length) sums[threadIdx.x] = both;
        __syncthreads();
    }
    if (blockDim.x * blockIdx.x < n)
        if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

int main() {
    for (int i = 0; i < N; ++i) source[i] = rand();
    cudaDeviceSynchronize();
    add_up<<<BLOCKS, THREADS>>>(source, N, total);
    cudaDeviceSynchronize();
    unsigned int sum = 0;
    for (int i = 0; i < N; ++i) sum += source[i];
    printf("%s\n", sum == (unsigned int)total[0] ? "passed" : "failed");
    return sum != (unsigned int)total[0];
}
