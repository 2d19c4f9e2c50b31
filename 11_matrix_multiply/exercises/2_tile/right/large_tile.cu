// Tiles of 32 x 32, and a loop that knows how many products there are instead of zeros along k.

#include "common/check.h"

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float part_of_a[32 * 32], part_of_b[32 * 32];
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    const int place = threadIdx.y * 32 + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += 32) {
        const int size = min(32, k - first);
        if (row < m && threadIdx.x < size) part_of_a[place] = a[row * k + first + threadIdx.x];
        if (column < n && threadIdx.y < size) part_of_b[place] = b[(first + threadIdx.y) * n + column];
        __syncthreads();
        if (row < m && column < n)
            for (int l = 0; l < size; ++l) sum += part_of_a[threadIdx.y * 32 + l] * part_of_b[l * 32 + threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
