// The parts are cut off by a mask instead of rounded, which costs one or two bits more, and within the bound. mma.sync
// says which lane has what, so that no shared memory is needed. The small products have sums of their own.

#include "common/check.h"

struct Parts {
    unsigned big, small;
};

__device__ Parts parts_of(const float* matrix, int rows, int columns, int i, int j) {
    const float whole = i < rows && j < columns ? matrix[i * columns + j] : 0;
    const unsigned big = __float_as_uint(whole) & 0xffffe000;
    return {big, __float_as_uint(whole - __uint_as_float(big)) & 0xffffe000};
}

__device__ void multiply_add(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4, top = blockIdx.y * 16 + g, left = blockIdx.x * 8;
    float sums[4] = {}, rest[4] = {};
    for (int l = t; l - t < k; l += 8) {
        unsigned a_big[4], a_small[4], b_big[2], b_small[2];
        for (int e = 0; e < 4; ++e) {
            const Parts parts = parts_of(a, m, k, top + e % 2 * 8, l + e / 2 * 4);
            a_big[e] = parts.big, a_small[e] = parts.small;
        }
        for (int e = 0; e < 2; ++e) {
            const Parts parts = parts_of(b, k, n, l + e * 4, left + g);
            b_big[e] = parts.big, b_small[e] = parts.small;
        }
        multiply_add(rest, a_small, b_big);
        multiply_add(rest, a_big, b_small);
        multiply_add(sums, a_big, b_big);
    }
    for (int e = 0; e < 4; ++e) {
        const int i = top + e / 2 * 8, j = left + 2 * t + e % 2;
        if (i < m && j < n) c[i * n + j] = sums[e] + rest[e];
    }
}

void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
    multiply_kernel<<<dim3((n + 7) / 8, (m + 15) / 16), 32>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
