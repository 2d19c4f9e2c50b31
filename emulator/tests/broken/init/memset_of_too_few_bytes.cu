// cudaMemset() counts bytes; 64 of them are a quarter of 64 ints.
#include "../arrays.h"

__global__ void increment(int* x) {
    x[threadIdx.x] += 1;  // expect: uninitialised
}

int main() {
    const int n = 64;
    Array<int> x(n);
#ifdef BROKEN
    cudaMemset(x, 0, n);
#else
    cudaMemset(x, 0, n * sizeof(int));
#endif
    increment<<<1, n>>>(x);
    return differs(x[n - 1], 1);
}
