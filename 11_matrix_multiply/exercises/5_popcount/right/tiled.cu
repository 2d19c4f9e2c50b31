// A row of a in shared memory, for a block that makes a row of c.

#include "common/check.h"

__global__ void multiply_kernel(const unsigned* a, const unsigned* b, int* c, int k, int n) {
    extern __shared__ unsigned row[];
    const int words = (k + 31) / 32;
    for (int w = threadIdx.x; w < words; w += blockDim.x) row[w] = a[blockIdx.x * words + w];
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        int sum = k;
        for (int w = 0; w < words; ++w) sum -= 2 * __popc(row[w] ^ b[w * n + j]);
        c[blockIdx.x * n + j] = sum;
    }
}

void multiply(const unsigned* a, const unsigned* b, int* c, int m, int k, int n) {
    multiply_kernel<<<m, 64, (k + 31) / 32 * sizeof(unsigned)>>>(a, b, c, k, n);
    CUDA_CHECK_LAUNCH();
}
