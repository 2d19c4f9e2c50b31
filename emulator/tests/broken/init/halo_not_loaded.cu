// The tile's two outer cells are left to nobody.
#include "../arrays.h"

__global__ void smooth(const int* x, int* y) {
    extern __shared__ int tile[];
    const int t = threadIdx.x;
    tile[t + 1] = x[t];
#ifndef BROKEN
    if (t == 0) tile[0] = tile[blockDim.x + 1] = 0;
#endif
    __syncthreads();
    y[t] = tile[t] + tile[t + 1] + tile[t + 2];  // expect: uninitialised
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    smooth<<<1, 64, 66 * sizeof(int)>>>(x, y);
    return differs(y[63], 125);
}
