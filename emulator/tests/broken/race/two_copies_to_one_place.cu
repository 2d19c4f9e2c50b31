// A second copy to the same place is issued while the first one is on its way: either may come last.
#include <cuda_pipeline.h>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ int buffer[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[t], &x[t], sizeof(int));  // expect: copy-in-flight
    __pipeline_commit();
#ifndef BROKEN
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    __pipeline_memcpy_async(&buffer[63 - t], &x[64 + t], sizeof(int));  // may: copy-in-flight
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = buffer[t];
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    Array<int> y(64);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 127);
}
