// A summed-area table in shared memory: a thread sums up its row and then its column, which others are still to reach.
#include "../arrays.h"

__global__ void summed_area(const int* x, int* y) {
    __shared__ int table[32][33];
    const int t = threadIdx.x;
    for (int row = 0; row < 32; ++row) table[row][t] = x[row * 32 + t];
    __syncthreads();
    for (int column = 1; column < 32; ++column) table[t][column] += table[t][column - 1];  // expect: race, other
#ifndef BROKEN
    __syncwarp();
#endif
    for (int row = 1; row < 32; ++row) table[row][t] += table[row - 1][t];  // expect: race
    __syncwarp();
    for (int row = 0; row < 32; ++row) y[row * 32 + t] = table[row][t];
}

int main() {
    Array<int> x(1024, 1), y(1024);
    summed_area<<<1, 32>>>(x, y);
    return differs(y[1023], 1024);
}
