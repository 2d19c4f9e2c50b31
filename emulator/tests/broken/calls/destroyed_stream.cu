// The stream is destroyed when its work has been handed out, as it seems; some of it comes later.
#include "../arrays.h"

__global__ void add(int* x, int number) {
    x[threadIdx.x] += number;
}

int main() {
    Array<int> x(64, 0);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    add<<<1, 64, 0, stream>>>(x, 1);
#ifdef BROKEN
    check(cudaStreamDestroy(stream));
#endif
    add<<<1, 64, 0, stream>>>(x, 10);  // expect: refused-launch
#ifndef BROKEN
    check(cudaStreamDestroy(stream));
#endif
    check(cudaDeviceSynchronize());
    return differs(x[5], 11);
}
