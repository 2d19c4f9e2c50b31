// c = a · b on tensor cores, which take TF32: a float of which 10 bits of 23 behind the point are left. A block of four
// warps makes a tile of 32 x 32 elements.

#include <mma.h>

#include "common/check.h"

namespace wmma = nvcuda::wmma;

constexpr int tile = 32, side = 16, depth = 8;  // of c; of a fragment of c; of a slice of k
constexpr int threads = 128;

using Tf32 = wmma::precision::tf32;
using FragmentOfA = wmma::fragment<wmma::matrix_a, side, side, depth, Tf32, wmma::row_major>;
using FragmentOfB = wmma::fragment<wmma::matrix_b, side, side, depth, Tf32, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, side, side, depth, float>;

/// 0 beyond the edges.
__device__ float element(const float* matrix, int rows, int columns, int i, int j) {
    return i < rows && j < columns ? matrix[i * columns + j] : 0;
}

// BEGIN SOLUTION
/// big + small is nearly `whole`, and both are TF32.
template <class Fragment>
__device__ void split(const Fragment& whole, Fragment& big, Fragment& small) {
    for (int e = 0; e < whole.num_elements; ++e) {
        big.x[e] = wmma::__float_to_tf32(whole.x[e]);
        small.x[e] = wmma::__float_to_tf32(whole.x[e] - big.x[e]);
    }
}
// STUB
// /// Each lane rounds the elements that it has.
// template <class Fragment>
// __device__ void round(Fragment& fragment) {
//     for (int e = 0; e < fragment.num_elements; ++e) fragment.x[e] = wmma::__float_to_tf32(fragment.x[e]);
// }
// END SOLUTION

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ alignas(32) float a_slice[tile][depth], b_slice[depth][tile], sums[tile][tile];
    const int first_i = blockIdx.y * tile, first_j = blockIdx.x * tile;
    const int warp_i = threadIdx.x / 32 / 2 * side, warp_j = threadIdx.x / 32 % 2 * side;

    Sums sum;
    wmma::fill_fragment(sum, 0);
    for (int l = 0; l < k; l += depth) {
        for (int cell = threadIdx.x; cell < tile * depth; cell += threads) {
            a_slice[cell / depth][cell % depth] = element(a, m, k, first_i + cell / depth, l + cell % depth);
            b_slice[cell / tile][cell % tile] = element(b, k, n, l + cell / tile, first_j + cell % tile);
        }
        __syncthreads();
        FragmentOfA a_part;
        FragmentOfB b_part;
        wmma::load_matrix_sync(a_part, &a_slice[warp_i][0], depth);
        wmma::load_matrix_sync(b_part, &b_slice[0][warp_j], tile);
        // BEGIN SOLUTION
        FragmentOfA a_big, a_small;
        FragmentOfB b_big, b_small;
        split(a_part, a_big, a_small);
        split(b_part, b_big, b_small);
        wmma::mma_sync(sum, a_small, b_big, sum);
        wmma::mma_sync(sum, a_big, b_small, sum);
        wmma::mma_sync(sum, a_big, b_big, sum);
        // STUB
        // round(a_part);
        // round(b_part);
        // wmma::mma_sync(sum, a_part, b_part, sum);
        // END SOLUTION
        __syncthreads();
    }

    wmma::store_matrix_sync(&sums[warp_i][warp_j], sum, tile, wmma::mem_row_major);
    __syncthreads();
    for (int cell = threadIdx.x; cell < tile * tile; cell += threads) {
        const int i = first_i + cell / tile, j = first_j + cell % tile;
        if (i < m && j < n) c[i * n + j] = sums[cell / tile][cell % tile];
    }
}

/// a: m rows of k floats, b: k rows of n, c: m rows of n, in device memory, without gaps. m, n >= 1; k may be 0.
void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    multiply_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
