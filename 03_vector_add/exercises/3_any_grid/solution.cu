// c = a + b, with a grid of any size.

#include "common/check.h"

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    // BEGIN SOLUTION
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
    // STUB
    // const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // if (i < n) c[i] = a[i] + b[i];
    // END SOLUTION
}

/// a, b, c: n floats each, in device memory; n may be 0. The grid has that many blocks of that many threads: there may
/// be fewer threads than elements, or more.
void add(const float* a, const float* b, float* c, int n, int blocks, int threads) {
    add_kernel<<<blocks, threads>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}
