// The product of two matrices of +1 and -1, packed 32 to a word: a set bit is +1, a clear one -1.

#include "common/check.h"

__global__ void multiply_kernel(const unsigned* a, const unsigned* b, int* c, int m, int k, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= m || j >= n) return;
    const int words = (k + 31) / 32;
    // BEGIN SOLUTION
    int different = 0;
    for (int w = 0; w < words; ++w) different += __popc(a[i * words + w] ^ b[w * n + j]);
    c[i * n + j] = k - 2 * different;
    // STUB
    // int sum = 0;
    // for (int l = 0; l < k; ++l) {
    //     const unsigned a_bit = a[i * words + l / 32] >> l % 32 & 1, b_bit = b[l / 32 * n + j] >> l % 32 & 1;
    //     sum += a_bit == b_bit ? 1 : -1;
    // }
    // c[i * n + j] = sum;
    // END SOLUTION
}

/// c = a · b, for m x k signs times k x n; m, n >= 1, k >= 0. With w = (k + 31) / 32, a has m rows of w words, in which
/// bit l % 32 of word l / 32 is element l of the row; b has w rows of n words, in which bit l % 32 of row l / 32 is
/// element l of the column. Bits behind the k-th are 0. c: m rows of n. All are in device memory.
void multiply(const unsigned* a, const unsigned* b, int* c, int m, int k, int n) {
    const dim3 block(32, 8), blocks((n + 31) / 32, (m + 7) / 8);
    multiply_kernel<<<blocks, block>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
