// The input never went to the device.
#include "../arrays.h"

__global__ void add(const int* a, const int* b, int* c) {
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];  // expect: uninitialised
}

int main() {
    const int n = 64;
    Array<int> a(n, [](int i) { return i; });
    Array<int> b(n);
    Array<int> c(n);
#ifndef BROKEN
    cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
#endif
    add<<<1, n>>>(a, b, c);
    return differs(c[n - 1], 126);
}
