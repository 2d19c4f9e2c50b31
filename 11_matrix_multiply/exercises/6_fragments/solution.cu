// c = a · b, where the elements of a and b are rounded to BF16. A block of four warps makes a tile of 32 x 32 elements.

#include <cuda_bf16.h>
#include <mma.h>

#include "common/check.h"

namespace wmma = nvcuda::wmma;

constexpr int tile = 32, depth = 16;  // of c, and of a slice of k
constexpr int threads = 128;

/// Rounded, and 0 beyond the edges.
__device__ __nv_bfloat16 element(const float* matrix, int rows, int columns, int i, int j) {
    return __float2bfloat16_rn(i < rows && j < columns ? matrix[i * columns + j] : 0);
}

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ alignas(32) __nv_bfloat16 a_slice[tile][depth], b_slice[depth][tile];
    const int first_i = blockIdx.y * tile, first_j = blockIdx.x * tile;

    // BEGIN SOLUTION
    constexpr int side = 16;  // of a fragment
    __shared__ alignas(32) float sums[tile][tile];
    const int warp_i = threadIdx.x / 32 / 2 * side, warp_j = threadIdx.x / 32 % 2 * side;
    wmma::fragment<wmma::matrix_a, side, side, depth, __nv_bfloat16, wmma::row_major> a_part;
    wmma::fragment<wmma::matrix_b, side, side, depth, __nv_bfloat16, wmma::row_major> b_part;
    wmma::fragment<wmma::accumulator, side, side, depth, float> sum;
    wmma::fill_fragment(sum, 0);
    // STUB
    // // Each thread makes eight elements below each other.
    // const int x = threadIdx.x % tile, y = threadIdx.x / tile * 8;
    // float sums[8] = {};
    // END SOLUTION
    for (int l = 0; l < k; l += depth) {
        for (int cell = threadIdx.x; cell < tile * depth; cell += threads) {
            a_slice[cell / depth][cell % depth] = element(a, m, k, first_i + cell / depth, l + cell % depth);
            b_slice[cell / tile][cell % tile] = element(b, k, n, l + cell / tile, first_j + cell % tile);
        }
        __syncthreads();
        // BEGIN SOLUTION
        wmma::load_matrix_sync(a_part, &a_slice[warp_i][0], depth);
        wmma::load_matrix_sync(b_part, &b_slice[0][warp_j], tile);
        wmma::mma_sync(sum, a_part, b_part, sum);
        // STUB
        // for (int step = 0; step < depth; ++step)
        //     for (int row = 0; row < 8; ++row)
        //         sums[row] += __bfloat162float(a_slice[y + row][step]) * __bfloat162float(b_slice[step][x]);
        // END SOLUTION
        __syncthreads();
    }

    // BEGIN SOLUTION
    wmma::store_matrix_sync(&sums[warp_i][warp_j], sum, tile, wmma::mem_row_major);
    __syncthreads();
    for (int cell = threadIdx.x; cell < tile * tile; cell += threads) {
        const int i = first_i + cell / tile, j = first_j + cell % tile;
        if (i < m && j < n) c[i * n + j] = sums[cell / tile][cell % tile];
    }
    // STUB
    // for (int row = 0; row < 8; ++row) {
    //     const int i = first_i + y + row, j = first_j + x;
    //     if (i < m && j < n) c[i * n + j] = sums[row];
    // }
    // END SOLUTION
}

/// a: m rows of k floats, b: k rows of n, c: m rows of n, in device memory, without gaps. m, n >= 1; k may be 0.
void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    multiply_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
