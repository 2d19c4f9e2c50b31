// Three tiles take turns, two on their way. When nothing is left to fetch, empty groups are committed, so that the wait
// for all but the last two goes on to mean the same tile.
#include <cuda_pipeline.h>

#include "../arrays.h"

constexpr int tile = 64, stages = 3;

__global__ void sums(const int* x, int* y, int tiles) {
    __shared__ alignas(16) int buffer[stages][tile];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < tiles + stages - 1; ++i) {
        __syncthreads();
        if (i < tiles && t < tile / 4) __pipeline_memcpy_async(&buffer[i % stages][4 * t], x + tile * i + 4 * t, 16);
        __pipeline_commit();
        if (i < stages - 1) continue;
        __pipeline_wait_prior(stages - 1);
        __syncthreads();
        sum += buffer[(i + 1) % stages][tile - 1 - t];
    }
    y[t] = sum;
}

int main() {
    const int tiles = 7;
    Array<int> x(tiles * tile, [](int i) { return i; });
    Array<int> y(tile);
    sums<<<1, tile>>>(x, y, tiles);
    return differs(y[0], 7 * 63 + 21 * 64);
}
