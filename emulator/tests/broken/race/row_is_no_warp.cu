// In blocks of 16 × 16 each row sums itself up with __syncwarp(), then its last steps with none: a row is half a warp,
// and columns are many warps.
#include "../arrays.h"

__global__ void column_sums(const int* x, int* y) {
    __shared__ int tile[16][16];
    const int column = threadIdx.x, row = threadIdx.y;
    tile[row][column] = x[row * 16 + column];  // expect: race, other
#ifndef BROKEN
    __syncthreads();
#endif
    for (int step = 8; step > 0; step /= 2) {
#ifdef BROKEN
        __syncwarp();
#else
        __syncthreads();
#endif
        if (row < step) tile[row][column] += tile[row + step][column];  // expect: race
    }
    if (row == 0) y[column] = tile[0][column];
}

int main() {
    Array<int> x(256, [](int i) { return i / 16; }), y(16);
    column_sums<<<1, dim3(16, 16)>>>(x, y);
    return differs(y[3], 120);
}
