// No padding: the columns of each row are exchanged by an exclusive or. Blocks of 32 x 8 threads.

#include "common/check.h"

__global__ void transpose_kernel(const float* a, float* b, int rows, int columns) {
    __shared__ float cells[32][32];
    const int x = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (top + y < rows && left + x < columns) cells[y][x ^ y] = a[(top + y) * columns + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (left + y < columns && top + x < rows) b[(left + y) * rows + top + x] = cells[x][y ^ x];
}

void transpose(const float* a, float* b, int rows, int columns) {
    transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(a, b, rows, columns);
    CUDA_CHECK_LAUNCH();
}
