// Thread 0 fetches a value for all of them, and they do not wait for it.
#include "../arrays.h"

__global__ void scale(int* x, const int* factor) {
    __shared__ int f;
    const int t = threadIdx.x;
    if (t == 0) f = *factor;  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    x[t] *= f;  // expect: race, other
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> factor(1, 3);
    scale<<<1, 64>>>(x, factor);
    return differs(x[63], 189);
}
