// A step in place: each thread fetches its neighbour's element and stores its own before the copy has been waited for.
#include <cuda_pipeline.h>

#include "../arrays.h"

__global__ void shift(int* x) {
    __shared__ int buffer[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[t], &x[(t + 1) % 64], sizeof(int));  // may: copy-in-flight
    __pipeline_commit();
#ifndef BROKEN
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    x[t] = -1;  // expect: copy-in-flight
    __pipeline_wait_prior(0);
    __syncthreads();
    x[t] = buffer[t];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    shift<<<1, 64>>>(x);
    return differs(x[62], 63);
}
