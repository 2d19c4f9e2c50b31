// c = a · b, a thread for each element of c.

#include "common/check.h"

constexpr int tile = 16;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
    // BEGIN SOLUTION
    __shared__ float a_tile[tile][tile], b_tile[tile][tile];

    float sum = 0;
    for (int begin = 0; begin < k; begin += tile) {
        a_tile[y][x] = i < m && begin + x < k ? a[i * k + begin + x] : 0;
        b_tile[y][x] = begin + y < k && j < n ? b[(begin + y) * n + j] : 0;
        __syncthreads();
        for (int l = 0; l < tile; ++l) sum += a_tile[y][l] * b_tile[l][x];
        __syncthreads();
    }
    if (i < m && j < n) c[i * n + j] = sum;
    // STUB
    // if (i >= m || j >= n) return;
    //
    // float sum = 0;
    // for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
    // c[i * n + j] = sum;
    // END SOLUTION
}

/// a: m rows of k floats, b: k rows of n, c: m rows of n, in device memory, without gaps. m, n >= 1; k may be 0.
void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    multiply_kernel<<<blocks, dim3(tile, tile)>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
