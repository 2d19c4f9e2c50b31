// A product of matrices of +1 and -1 as bits: padded with zeros, packed by single threads, equal bits counted by a
// table.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N 50
#define BITS 32
#define WORDS ((N - 1) / BITS + 1)

__device__ unsigned char table[256];

__device__ int ones(int x) {
    return table[x & 0xff] + table[(x >> 8) & 0xff] + table[(x >> 16) & 0xff] + table[(x >> 24) & 0xff];
}

__global__ void pack(float* from, int* to, int step, int line) {  // from one element to the next, and from line to line
    for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < WORDS * N; id += gridDim.x * blockDim.x) {
        int word = 0;
        for (int i = 0, base = 1; i < BITS; i++, base = base << 1)
            if (from[id / WORDS * line + ((id % WORDS + 1) * BITS - 1 - i) * step] == 1.f) word += base;
        to[id] = word;
    }
}

__global__ void multiply(int* a, int* b, float* c) {
    extern __shared__ int row[];
    for (int k = threadIdx.x; k < WORDS; k += blockDim.x) row[k] = a[blockIdx.x * WORDS + k];
    __syncthreads();
    for (int j = threadIdx.x; j < N; j += blockDim.x) {
        int sum = 0;
        for (int k = 0; k < WORDS; k++) sum += BITS - 2 * ones(row[k] ^ b[j * WORDS + k]);
        c[blockIdx.x * N + j] = sum - (BITS * WORDS - N);
    }
}

int main() {
    unsigned char counts[256] = {0};
    for (int i = 1; i < 256; ++i) counts[i] = counts[i / 2] + i % 2;
    cudaMemcpyToSymbol(table, counts, sizeof(counts));
    float a[N * N], c[N * N], expected = 0, *dev_a, *padded, *dev_c;
    for (int i = 0; i < N * N; ++i) a[i] = rand() % 2 ? 1 : -1;
    size_t pitch, row = N * sizeof(float);
    cudaMalloc((void**)&dev_a, N * row);
    cudaMalloc((void**)&dev_c, N * row);
    cudaMemcpy(dev_a, a, N * row, cudaMemcpyHostToDevice);
    cudaMallocPitch((void**)&padded, &pitch, WORDS * BITS * sizeof(float), WORDS * BITS);
    cudaMemset(padded, 0, pitch * WORDS * BITS);
    cudaMemcpy2D(padded, pitch, dev_a, row, row, N, cudaMemcpyDeviceToDevice);
    int *rows, *columns;
    cudaMalloc((void**)&rows, WORDS * N * sizeof(int));
    cudaMalloc((void**)&columns, WORDS * N * sizeof(int));
    pack<<<6, 512>>>(padded, rows, 1, pitch / sizeof(float));
    pack<<<6, 512>>>(padded, columns, pitch / sizeof(float), 1);
    multiply<<<N, 32, WORDS * sizeof(int)>>>(rows, columns, dev_c);
    cudaMemcpy(c, dev_c, N * row, cudaMemcpyDeviceToHost);
    for (int k = 0; k < N; ++k) expected += a[(N - 1) * N + k] * a[k * N + N - 1];
    printf("%g, and it should be %g\n", c[N * N - 1], expected);
    return c[N * N - 1] != expected;
}
