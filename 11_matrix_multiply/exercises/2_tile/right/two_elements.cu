// Blocks of 16 x 8 threads, each with two elements of c, and two pairs of tiles in turn: one barrier a round is enough.

#include "common/check.h"

__device__ float element(const float* matrix, int rows, int columns, int i, int j) {
    return i < rows && j < columns ? matrix[i * columns + j] : 0.0f;
}

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[2][16][16], b_tile[2][16][16];
    const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    float sums[2] = {};
    for (int begin = 0, now = 0; begin < k; begin += 16, now = 1 - now) {
        for (int half = 0; half < 16; half += 8) {
            a_tile[now][y + half][x] = element(a, m, k, i + half, begin + x);
            b_tile[now][y + half][x] = element(b, k, n, begin + y + half, j);
        }
        __syncthreads();
        for (int l = 0; l < 16; ++l)
            for (int half = 0; half < 2; ++half) sums[half] += a_tile[now][y + 8 * half][l] * b_tile[now][l][x];
    }
    for (int half = 0; half < 2; ++half)
        if (i + 8 * half < m && j < n) c[(i + 8 * half) * n + j] = sums[half];
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 8)>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
