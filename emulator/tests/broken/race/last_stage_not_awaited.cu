// Three tiles take turns. Towards the end there is nothing more to fetch, no group is committed, and the wait for all
// groups but two no longer waits for the tile that comes next.
#include <cuda_pipeline.h>

#include "../arrays.h"

constexpr int tile = 64, stages = 3;

__global__ void reverse_tiles(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int buffer[stages][tile];
    const int t = threadIdx.x;
    const auto fetch = [&](int i) {
#ifdef BROKEN
        if (i >= tiles) return;
#endif
        if (i < tiles && t < tile / 4)
            __pipeline_memcpy_async(&buffer[i % stages][4 * t], x + tile * i + 4 * t, 16);  // may: copy-in-flight
        __pipeline_commit();
    };
    for (int i = 0; i + 1 < stages; ++i) fetch(i);
    for (int i = 0; i < tiles; ++i) {
        fetch(i + stages - 1);
        __pipeline_wait_prior(stages - 1);  // may: copy-in-flight
        __syncthreads();
        y[tile * i + t] = buffer[i % stages][tile - 1 - t];  // expect: copy-in-flight
        __syncthreads();
    }
}

int main() {
    const int tiles = 3;
    Array<int> x(tiles * tile, [](int i) { return i; });
    Array<int> y(tiles * tile);
    reverse_tiles<<<1, tile>>>(x, y, tiles);
    return differs(y[tiles * tile - 1], (tiles - 1) * tile);
}
