// The tile is transposed when it is stored, with rows of 35 words: any odd number will do.

#include "common/check.h"

__global__ void transpose_kernel(const float* a, float* b, int rows, int columns) {
    __shared__ float cells[32 * 35];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.x * 32 + y, j = blockIdx.y * 32 + x;
    if (i < rows && j < columns) cells[x * 35 + y] = a[i * columns + j];
    __syncthreads();
    const int p = blockIdx.y * 32 + y, q = blockIdx.x * 32 + x;
    if (p < columns && q < rows) b[p * rows + q] = cells[y * 35 + x];
}

void transpose(const float* a, float* b, int rows, int columns) {
    transpose_kernel<<<dim3((rows + 31) / 32, (columns + 31) / 32), dim3(32, 32)>>>(a, b, rows, columns);
    CUDA_CHECK_LAUNCH();
}
