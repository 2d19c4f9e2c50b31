// No block can have that much shared memory. The call says so, and then the launch does.
#include "../arrays.h"

__global__ void sum(const int* x, int* total, int n) {
    extern __shared__ int tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
    __syncthreads();
    if (threadIdx.x > 0) return;
    int all = 0;
    for (int i = 0; i < n; ++i) all += tile[i];
    *total = all;
}

int main() {
#ifdef BROKEN
    const int n = 100000;
#else
    const int n = 50000;
#endif
    const int bytes = n * sizeof(int);
    Array<int> x(n, 1), total(1, 0);
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);  // expect: failed-call
    sum<<<1, 32, bytes>>>(x, total, n);                                             // may: refused-launch
    return differs(total[0], n);
}
