// A dot product: a tree in shared memory for each of 32 blocks, whose sums the host adds; six digits are compared.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) (a < b ? a : b)

const int N = 33 * 1024;
const int THREADS = 256;
const int BLOCKS = MIN(32, (N + THREADS - 1) / THREADS);

__global__ void dot(float* a, float* b, float* sums) {
    __shared__ float cache[THREADS];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    float sum = 0;
    while (i < N) {
        sum += a[i] * b[i];
        i += blockDim.x * gridDim.x;
    }
    cache[threadIdx.x] = sum;
    __syncthreads();
    int half = blockDim.x / 2;
    while (half != 0) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
        half /= 2;
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}

int main() {
    float* a = (float*)malloc(N * sizeof(float));
    float* b = (float*)malloc(N * sizeof(float));
    float* sums = (float*)malloc(BLOCKS * sizeof(float));
    for (int i = 0; i < N; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *dev_a, *dev_b, *dev_sums;
    cudaMalloc((void**)&dev_a, N * sizeof(float));
    cudaMalloc((void**)&dev_b, N * sizeof(float));
    cudaMalloc((void**)&dev_sums, BLOCKS * sizeof(float));
    cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, N * sizeof(float), cudaMemcpyHostToDevice);
    dot<<<BLOCKS, THREADS>>>(dev_a, dev_b, dev_sums);
    cudaMemcpy(sums, dev_sums, BLOCKS * sizeof(float), cudaMemcpyDeviceToHost);
    float c = 0;
    for (int i = 0; i < BLOCKS; ++i) c += sums[i];
    double n = N - 1.0;
    printf("%.6g, and it should be %.6g\n", c, n * (n + 1) * (2 * n + 1) / 3);
    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_sums);
    return 0;
}
