// The transpose of a matrix, through tiles of 32 x 32 in shared memory.

#include "common/check.h"

constexpr int tile = 32;

__global__ void transpose_kernel(const float* a, float* b, int rows, int columns) {
    // BEGIN SOLUTION
    __shared__ float cells[tile][tile + 1];
    // STUB
    // __shared__ float cells[tile][tile];
    // END SOLUTION
    const int x = threadIdx.x, y = threadIdx.y;

    const int i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
    if (i < rows && j < columns) cells[y][x] = a[i * columns + j];
    __syncthreads();

    // The block's tile of b: its neighbours are neighbours in a column of a.
    const int b_i = blockIdx.x * tile + y, b_j = blockIdx.y * tile + x;
    if (b_i < columns && b_j < rows) b[b_i * rows + b_j] = cells[x][y];
}

/// b(j, i) = a(i, j). a: `rows` rows of `columns` floats, b: `columns` rows of `rows`, in device memory, without gaps;
/// at least one of each.
void transpose(const float* a, float* b, int rows, int columns) {
    const dim3 blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    transpose_kernel<<<blocks, dim3(tile, tile)>>>(a, b, rows, columns);
    CUDA_CHECK_LAUNCH();
}
