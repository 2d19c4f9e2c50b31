// c = a · b with tiles in shared memory, as in stage 5.

#include "common/check.h"

constexpr int tile = 16;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[tile][tile], b_tile[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;

    float sum = 0;
    for (int begin = 0; begin < k; begin += tile) {
        // BEGIN SOLUTION
        a_tile[y][x] = i < m && begin + x < k ? a[i * k + begin + x] : 0;
        b_tile[y][x] = begin + y < k && j < n ? b[(begin + y) * n + j] : 0;
        // STUB
        // if (i < m && begin + x < k) a_tile[y][x] = a[i * k + begin + x];
        // if (begin + y < k && j < n) b_tile[y][x] = b[(begin + y) * n + j];
        // END SOLUTION
        __syncthreads();
        for (int l = 0; l < tile; ++l) sum += a_tile[y][l] * b_tile[l][x];
        // BEGIN SOLUTION
        __syncthreads();
        // STUB
        // END SOLUTION
    }
    if (i < m && j < n) c[i * n + j] = sum;
}

/// a: m rows of k floats, b: k rows of n, c: m rows of n, in device memory, without gaps. m, n >= 1; k may be 0.
void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    multiply_kernel<<<blocks, dim3(tile, tile)>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
