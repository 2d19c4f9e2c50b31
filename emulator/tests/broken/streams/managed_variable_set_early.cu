// The host sets a __managed__ variable for the next launch while the kernel before may still read it.
#include "../arrays.h"

__managed__ int factor = 2;

__global__ void scale(int* x) {
    x[threadIdx.x] *= factor;  // expect: unordered, other
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    scale<<<1, 32>>>(x);
#ifndef BROKEN
    check(cudaDeviceSynchronize());
#endif
    factor = 3;  // expect: unordered
    scale<<<1, 32>>>(x);
    return differs(x[5], 30);
}
