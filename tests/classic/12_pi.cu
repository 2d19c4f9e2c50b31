// Pi as a sum, in two kernels; the first has a barrier in its loop, whose rounds differ among the threads of a block.
#include <cuda_runtime.h>
#include <stdio.h>

#define BLOCKS 128
#define THREADS 512
#define N 1000001

__global__ void sum_terms(double* sums) {
    __shared__ double s[THREADS];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    s[threadIdx.x] = 0.0;
    while (i < N) {
        double x = (i + 0.5) / N;
        s[threadIdx.x] += 4.0 / (1.0 + x * x);
        i += blockDim.x * gridDim.x;
        __syncthreads();  // expect: divergent-barrier
    }
    for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();  // may: divergent-barrier
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

__global__ void sum_blocks(double* sums) {
    __shared__ double s[BLOCKS];
    s[threadIdx.x] = sums[threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[0] = s[0] / N;
}

int main() {
    double pi;
    double* sums;
    cudaMalloc((void**)&sums, BLOCKS * sizeof(double));
    sum_terms<<<BLOCKS, THREADS>>>(sums);
    sum_blocks<<<1, BLOCKS>>>(sums);
    cudaMemcpy(&pi, sums, sizeof(double), cudaMemcpyDeviceToHost);
    printf("%.5f\n", pi);
    cudaFree(sums);
    return 0;
}
