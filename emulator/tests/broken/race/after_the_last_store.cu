// What one thread has just stored in shared memory is read by another.
#include "../arrays.h"

__global__ void rotate(int* x) {
    __shared__ int cache[100];
    const int t = threadIdx.x;
    cache[(t + 1) % 100] = x[t];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    x[t] = cache[t];  // expect: race, other
}

int main() {
    Array<int> x(100, [](int i) { return i; });
    rotate<<<1, 100>>>(x);
    return differs(x[0], 99);
}
