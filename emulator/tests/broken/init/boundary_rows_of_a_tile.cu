// A tile with a border of one in both directions: the threads load its inner part and the columns beside it, and the
// corners are nobody's.
#include "../arrays.h"

__global__ void box_filter(const float* x, float* y) {
    __shared__ float tile[10][10];
    const int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty + 1][tx + 1] = x[ty * 8 + tx];
    if (tx == 0) tile[ty + 1][0] = tile[ty + 1][9] = 0;
    if (ty == 0) tile[0][tx + 1] = tile[9][tx + 1] = 0;
#ifndef BROKEN
    if (tx == 0 && ty == 0) tile[0][0] = tile[0][9] = tile[9][0] = tile[9][9] = 0;
#endif
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) sum += tile[ty + dy][tx + dx];  // expect: uninitialised
    y[ty * 8 + tx] = sum;
}

int main() {
    Array<float> x(64, 1), y(64);
    box_filter<<<1, dim3(8, 8)>>>(x, y);
    return differs(y[0], 4);
}
