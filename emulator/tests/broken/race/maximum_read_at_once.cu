// The last thread takes the maximum as soon as it has done its part; others may still raise it.
#include "../arrays.h"

__global__ void largest(const int* x, int* result) {
    __shared__ int most;
    const int t = threadIdx.x;
    if (t == 0) most = 0;
    __syncthreads();
    atomicMax(&most, x[t]);  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    if (t == 63) *result = most;  // expect: race, other
}

int main() {
    Array<int> x(64, [](int i) { return i * 37 % 64; });
    Array<int> result(1);
    largest<<<1, 64>>>(x, result);
    return differs(result[0], 63);
}
