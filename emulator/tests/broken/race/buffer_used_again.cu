// The next tile is loaded while others still read the last one.
#include "../arrays.h"

__global__ void sums(const int* x, int n, int* y) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    int total = 0;
    for (int first = 0; first < n; first += 64) {
        tile[t] = x[first + t];  // expect: race
        __syncthreads();
        for (int i = 0; i <= t; ++i) total += tile[i];  // expect: race, other
#ifndef BROKEN
        __syncthreads();
#endif
    }
    y[t] = total;
}

int main() {
    const int n = 192;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(64);
    sums<<<1, 64>>>(x, n, y);
    return differs(y[63], 18336);
}
