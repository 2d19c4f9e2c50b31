// A kernel reads the memory of another device, and nobody has enabled that: a copy would have been allowed.
// devices: 2
#include "../arrays.h"

__global__ void twice(const int* x, int* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: device-touches-peer
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    check(cudaSetDevice(1));
#ifndef BROKEN
    check(cudaDeviceEnablePeerAccess(0, 0));
#endif
    Array<int> y(32);
    twice<<<1, 32>>>(x, y);
    return differs(y[5], 2 * x[5]);
}
