// c = a + b, a thread for each element.

#include "common/check.h"

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // BEGIN SOLUTION
    if (i < n) c[i] = a[i] + b[i];
    // STUB
    // c[i] = a[i] + b[i];
    // END SOLUTION
}

/// a, b, c: n floats each, in device memory. n may be 0.
void add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;  // A grid without blocks is an error.
    const int blocks = (n + 255) / 256;
    add_kernel<<<blocks, 256>>>(a, b, c, n);
    CUDA_CHECK_LAUNCH();
}
