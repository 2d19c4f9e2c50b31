// mma.sync says which lane has which sums, so they go straight to c. Each warp makes a tile of 16 x 8 for itself, and
// the block has none in common: lanes load what the instruction wants of them from global memory.

#include <cuda_bf16.h>

#include "common/check.h"

__device__ unsigned two(const float* matrix, int rows, int columns, int i, int j, int down, int right) {
    const auto element = [&](int y, int x) { return y < rows && x < columns ? matrix[y * columns + x] : 0.0f; };
    const __nv_bfloat162 pair = __floats2bfloat162_rn(element(i, j), element(i + down, j + right));
    return reinterpret_cast<const unsigned&>(pair);
}

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, warp = threadIdx.x / 32;
    const int i = blockIdx.y * 32 + warp % 2 * 16 + g, first_j = blockIdx.x * 32 + warp / 2 * 8;
    float sums[4] = {};
    for (int l = 2 * t; l - 2 * t < k; l += 16) {
        const unsigned upper = two(a, m, k, i, l, 0, 1), lower = two(a, m, k, i + 8, l, 0, 1);
        const unsigned right = two(a, m, k, i, l + 8, 0, 1), both = two(a, m, k, i + 8, l + 8, 0, 1);
        const unsigned above = two(b, k, n, l, first_j + g, 1, 0), below = two(b, k, n, l + 8, first_j + g, 1, 0);
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(upper), "r"(lower), "r"(right), "r"(both), "r"(above), "r"(below));
    }
    for (int e = 0; e < 4; ++e) {
        const int y = i + e / 2 * 8, x = first_j + 2 * t + e % 2;
        if (y < m && x < n) c[y * n + x] = sums[e];
    }
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((n + 31) / 32, (m + 31) / 32), 256>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
