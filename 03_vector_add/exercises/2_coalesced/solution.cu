// c = a + b, and each thread adds eight elements.

#include "common/check.h"

constexpr int block_size = 256;
constexpr int per_thread = 8;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    // BEGIN SOLUTION
    const int first = blockIdx.x * block_size * per_thread + threadIdx.x;
    for (int k = 0; k < per_thread; ++k) {
        const int i = first + k * block_size;
        if (i < n) c[i] = a[i] + b[i];
    }
    // STUB
    // const int thread = blockIdx.x * block_size + threadIdx.x;
    // for (int k = 0; k < per_thread; ++k) {
    //     const int i = thread * per_thread + k;
    //     if (i < n) c[i] = a[i] + b[i];
    // }
    // END SOLUTION
}

/// a, b, c: n floats each, in device memory. n may be 0.
void add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    const int per_block = block_size * per_thread;
    add_kernel<<<(n + per_block - 1) / per_block, block_size>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}
