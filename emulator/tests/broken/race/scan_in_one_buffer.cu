// An inclusive scan: the sum is stored while others still read the old value.
#include "../arrays.h"

__global__ void scan(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
        const int left = t >= distance ? cache[t - distance] : 0;  // expect: race
#ifndef BROKEN
        __syncthreads();
#endif
        cache[t] += left;  // expect: race, other
        __syncthreads();
    }
    x[t] = cache[t];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    scan<<<1, 64>>>(x);
    return differs(x[63], 2016);
}
