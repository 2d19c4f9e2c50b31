// The tile is read by columns before all of its rows are there.
#include "../arrays.h"

__global__ void transpose(const float* x, float* y) {
    __shared__ float tile[16][17];
    const int row = threadIdx.y, column = threadIdx.x;
    tile[row][column] = x[16 * row + column];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    y[16 * row + column] = tile[column][row];  // expect: race, other
}

int main() {
    Array<float> x(256, [](int i) { return i; });
    Array<float> y(256);
    transpose<<<1, dim3(16, 16)>>>(x, y);
    return differs(y[1], 16);
}
