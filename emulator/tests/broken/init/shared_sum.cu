// A sum in shared memory that begins with whatever lies there.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int total;
    if (threadIdx.x == 0) {
#ifndef BROKEN
        total = 0;
#endif
        for (int i = 0; i < n; ++i) total += x[i];  // expect: uninitialised
    }
    __syncthreads();
    result[threadIdx.x] = total;
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> result(32);
    sum<<<1, 32>>>(x, 32, result);
    return differs(result[31], 496);
}
