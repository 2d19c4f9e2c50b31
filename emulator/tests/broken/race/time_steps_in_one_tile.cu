// Ten steps of a stencil in one tile: the barrier stands behind the store, and none before it.
#include "../arrays.h"

constexpr int width = 64;

__global__ void heat(float* x, int steps) {
    __shared__ float tile[width + 2];
    const int t = threadIdx.x;
    tile[t + 1] = x[t];
    if (t < 2) tile[t * (width + 1)] = 0;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        const float next = (tile[t] + tile[t + 2]) / 2;  // expect: race
#ifndef BROKEN
        __syncthreads();
#endif
        tile[t + 1] = next;  // expect: race, other
        __syncthreads();
    }
    x[t] = tile[t + 1];
}

int main() {
    Array<float> x(width, [](int i) { return i == 20 ? 1024 : 0; });
    heat<<<1, width>>>(x, 10);
    return differs(x[20], 252);
}
