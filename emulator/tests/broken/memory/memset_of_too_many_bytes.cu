// cudaMemset() counts in bytes already.
#include "../arrays.h"

__global__ void increment(char* x) {
    ++x[threadIdx.x];
}

int main() {
    const int n = 64;
    Array<char> x(n, 0);
#ifdef BROKEN
    cudaMemset(x, 4, n * sizeof(int));  // expect: invalid-copy
#else
    cudaMemset(x, 4, n);
#endif
    increment<<<1, n>>>(x);
    return differs(x[n - 1], 5);
}
