// Three parts of BF16 hold all 24 bits of a float. Of nine products the six larger ones are enough. A block of one warp
// makes 16 x 16 elements.

#include <cuda_bf16.h>
#include <mma.h>

#include "common/check.h"

using namespace nvcuda;

struct alignas(32) Parts {
    __nv_bfloat16 of[3][16 * 16];
};

__device__ void split(Parts& parts, int at, float rest) {
    for (int p = 0; p < 3; ++p) {
        const __nv_bfloat16 part = __float2bfloat16_rn(rest);
        parts.of[p][at] = part;
        rest -= __bfloat162float(part);
    }
}

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ Parts rows, columns;
    __shared__ alignas(32) float sums[16 * 16];
    const int lane = threadIdx.x, top = blockIdx.y * 16, left = blockIdx.x * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0);
    for (int begin = 0; begin < k; begin += 16) {
        for (int at = lane; at < 16 * 16; at += 32) {
            const int i = at / 16, j = at % 16;
            split(rows, at, top + i < m && begin + j < k ? a[(top + i) * k + begin + j] : 0);
            split(columns, at, begin + i < k && left + j < n ? b[(begin + i) * n + left + j] : 0);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x[3];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> y[3];
        for (int p = 0; p < 3; ++p) {
            wmma::load_matrix_sync(x[p], rows.of[p], 16);
            wmma::load_matrix_sync(y[p], columns.of[p], 16);
        }
        for (int p = 2; p >= 0; --p)
            for (int q = 2 - p; q >= 0; --q) wmma::mma_sync(sum, x[p], y[q], sum);
        __syncwarp();
    }
    wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int at = lane; at < 16 * 16; at += 32)
        if (top + at / 16 < m && left + at % 16 < n) c[(top + at / 16) * n + left + at % 16] = sums[at];
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((n + 15) / 16, (m + 15) / 16), 32>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
