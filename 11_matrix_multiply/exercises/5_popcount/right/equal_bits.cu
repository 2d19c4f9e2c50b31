// Counts the bits that are equal, as XNOR does, and takes the padding off again; by hand instead of by __popc().

#include "common/check.h"

__device__ int ones(unsigned word) {
    int count = 0;
    for (; word != 0; word &= word - 1) ++count;
    return count;
}

__global__ void multiply_kernel(const unsigned* a, const unsigned* b, int* c, int m, int k, int n) {
    const int words = (k + 31) / 32, padding = 32 * words - k;
    for (int cell = blockIdx.x * blockDim.x + threadIdx.x; cell < m * n; cell += gridDim.x * blockDim.x) {
        const int i = cell / n, j = cell % n;
        int equal = -padding;
        for (int w = 0; w < words; ++w) equal += ones(~(a[i * words + w] ^ b[w * n + j]));
        c[cell] = 2 * equal - k;
    }
}

void multiply(const unsigned* a, const unsigned* b, int* c, int m, int k, int n) {
    multiply_kernel<<<8, 128>>>(a, b, c, m, k, n);
    CUDA_CHECK_LAUNCH();
}
