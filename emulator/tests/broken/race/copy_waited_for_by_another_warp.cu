// Warp 0 copies, and warp 1 waits: but a wait is for the copies of its own thread.
#include <cuda_pipeline.h>

#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ int buffer[32];
    const int t = threadIdx.x;
    if (t < 32) {
        buffer[t] = 0;
        __pipeline_memcpy_async(&buffer[t], &x[t], sizeof(int));  // may: copy-in-flight
        __pipeline_commit();
#ifndef BROKEN
        __pipeline_wait_prior(0);
#endif
    } else {
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    if (t >= 32) y[t - 32] = buffer[63 - t];  // expect: copy-in-flight
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> y(32);
    reverse<<<1, 64>>>(x, y);
    return differs(y[0], 31);
}
