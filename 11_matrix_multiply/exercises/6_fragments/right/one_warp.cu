// A block of one warp makes 32 x 8 elements, and stands alone: __syncwarp() is enough. b is transposed in shared
// memory.

#include <cuda_bf16.h>
#include <mma.h>

#include "common/check.h"

using namespace nvcuda;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ alignas(32) __nv_bfloat16 rows[32 * 16], columns[8 * 16];
    __shared__ alignas(32) float sums[8 * 32];
    const int lane = threadIdx.x, i = blockIdx.x * 32, j = blockIdx.y * 8;
    wmma::fragment<wmma::accumulator, 32, 8, 16, float> sum;
    wmma::fill_fragment(sum, 0);
    for (int begin = 0; begin < k; begin += 16) {
        for (int p = lane; p < 32 * 16; p += 32) {
            const int y = i + p / 16, l = begin + p % 16;
            rows[p] = __float2bfloat16_rn(y < m && l < k ? a[y * k + l] : 0);
        }
        for (int p = lane; p < 8 * 16; p += 32) {
            const int l = begin + p / 8, x = j + p % 8;
            columns[p % 8 * 16 + p / 8] = __float2bfloat16_rn(l < k && x < n ? b[l * n + x] : 0);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 32, 8, 16, __nv_bfloat16, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::col_major> right;
        wmma::load_matrix_sync(left, rows, 16);
        wmma::load_matrix_sync(right, columns, 16);
        wmma::mma_sync(sum, left, right, sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(sums, sum, 32, wmma::mem_col_major);
    __syncwarp();
    for (int x = 0; x < 8; ++x)
        if (i + lane < m && j + x < n) c[(i + lane) * n + j + x] = sums[x * 32 + lane];
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((m + 31) / 32, (n + 7) / 8), 32>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
