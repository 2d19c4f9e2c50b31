// An array of no elements is a null pointer, and the kernel writes its first one all the same.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* total) {
    *total = 0;  // expect: out-of-bounds
    for (int i = 0; i < n; ++i) *total += x[i];
}

int main() {
#ifdef BROKEN
    const int groups = 0;
#else
    const int groups = 1;
#endif
    Array<int> x(10, 1);
    Array<int> totals(groups);
    sum<<<1, 1>>>(x, 10, totals);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    return differs(groups > 0 ? totals[0] : 0, 10);
}
