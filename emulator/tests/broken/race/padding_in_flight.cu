// Elements behind the end are to be zeros. They are stored over a copy that is still on its way and may come later.
#include <cuda_pipeline.h>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y, int n) {
    __shared__ alignas(16) int buffer[256];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[4 * t], &x[4 * t], 16);  // may: copy-in-flight
    __pipeline_commit();
#ifndef BROKEN
    __pipeline_wait_prior(0);
#endif
    for (int i = 4 * t; i < 4 * t + 4; ++i)
        if (i >= n) buffer[i] = 0;  // expect: copy-in-flight
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 256; i += 64) y[i] = buffer[255 - i];
}

int main() {
    Array<int> x(256, 1);
    Array<int> y(256);
    reverse<<<1, 64>>>(x, y, 250);
    return differs(y[0], 0);
}
