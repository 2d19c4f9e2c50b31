// One tile for all steps: a thread issues the next copy while others still read what the last one has brought.
#include <cuda_pipeline.h>

#include "../arrays.h"

constexpr int tile = 64;

__global__ void reverse_tiles(const int* x, int* y, int tiles) {
    __shared__ int buffer[tile];
    const int t = threadIdx.x;
    for (int i = 0; i < tiles; ++i) {
        __pipeline_memcpy_async(&buffer[t], &x[tile * i + t], sizeof(int));  // expect: race
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        y[tile * i + t] = buffer[tile - 1 - t];  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
}

int main() {
    Array<int> x(3 * tile, [](int i) { return i; });
    Array<int> y(3 * tile);
    reverse_tiles<<<1, tile>>>(x, y, 3);
    return differs(y[0], tile - 1);
}
