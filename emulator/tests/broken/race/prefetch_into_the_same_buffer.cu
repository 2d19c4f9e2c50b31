// While a tile is used, the next one goes into the other buffer. Counted one too far, it goes into the same.
#include "../arrays.h"

constexpr int tile = 32;

__global__ void filter(const float* x, float* y, int tiles) {
    __shared__ float buffer[2][tile];
    const int t = threadIdx.x;
    buffer[0][t] = x[t];
    __syncthreads();
    for (int i = 0; i < tiles; ++i) {
#ifdef BROKEN
        const int next = (i + 2) % 2;
#else
        const int next = (i + 1) % 2;
#endif
        if (i + 1 < tiles) buffer[next][t] = x[(i + 1) * tile + t];  // expect: race
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += buffer[i % 2][(t + k) % tile];  // expect: race, other
        y[i * tile + t] = sum / 4;
        __syncthreads();
    }
}

int main() {
    const int tiles = 5;
    Array<float> x(tiles * tile, [](int i) { return i; });
    Array<float> y(tiles * tile);
    filter<<<1, tile>>>(x, y, tiles);
    return differs(y[tile], tile + 1.5);
}
