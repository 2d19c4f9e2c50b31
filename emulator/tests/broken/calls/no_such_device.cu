// The number of the device comes from somewhere else, and nobody asks how many there are.
#include "../arrays.h"

__global__ void fill(int* x) {
    x[threadIdx.x] = 7;
}

int main() {
    int devices = 0, number = 3;
    check(cudaGetDeviceCount(&devices));
#ifndef BROKEN
    number %= devices;
#endif
    cudaSetDevice(number);  // expect: failed-call
    Array<int> x(32);
    fill<<<1, 32>>>(x);
    return differs(x[31], 7);
}
