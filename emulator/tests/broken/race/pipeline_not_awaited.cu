// Two tiles take turns, one on its way while the other is used: the wait leaves one copy too many on its way.
#include <cuda_pipeline.h>

#include "../arrays.h"

constexpr int tile = 64;

__global__ void reverse_tiles(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int buffer[2][tile];
    const int t = threadIdx.x;
    const auto fetch = [&](int i) {
        if (i < tiles && t < tile / 4)
            __pipeline_memcpy_async(&buffer[i % 2][4 * t], x + tile * i + 4 * t, 16);  // may: copy-in-flight
        __pipeline_commit();
    };
    fetch(0);
    for (int i = 0; i < tiles; ++i) {
        fetch(i + 1);
#ifdef BROKEN
        __pipeline_wait_prior(2);  // may: copy-in-flight
#else
        __pipeline_wait_prior(1);
#endif
        __syncthreads();
        y[tile * i + t] = buffer[i % 2][tile - 1 - t];  // expect: copy-in-flight
        __syncthreads();
    }
}

int main() {
    const int n = 5 * tile;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    reverse_tiles<<<1, tile>>>(x, y, 5);
    return differs(y[0], tile - 1);
}
