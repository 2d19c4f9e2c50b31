// cudaDeviceSynchronize() waits for the current device, which is not the one that computes.
// devices: 2
#include "../arrays.h"

__global__ void squares(int* x) {
    x[threadIdx.x] = threadIdx.x * threadIdx.x;  // expect: unordered
}

int main() {
    int* x;
    check(cudaMallocManaged(&x, 64 * sizeof(int)));
    check(cudaSetDevice(1));
    squares<<<1, 64>>>(x);
#ifdef BROKEN
    check(cudaSetDevice(0));
#endif
    check(cudaDeviceSynchronize());
    const int result = x[8];  // expect: unordered, other
    check(cudaFree(x));
    return differs(result, 64);
}
