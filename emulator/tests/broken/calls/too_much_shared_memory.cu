// A tile of more than 48 KiB of dynamic shared memory needs to be asked for first.
#include "../arrays.h"

__global__ void reverse(int* x, int n) {
    extern __shared__ int tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[n - 1 - i];
}

int main() {
    const int n = 20000, bytes = n * sizeof(int);
    Array<int> x(n, [](int i) { return i; });
#ifndef BROKEN
    check(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#endif
    reverse<<<1, 256, bytes>>>(x, n);  // expect: refused-launch
    return differs(x[0], 19999);
}
