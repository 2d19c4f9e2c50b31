// A launch returns at once: the host reads managed memory before the kernel may have begun.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    int all = 0;
    for (int i = 0; i < n; ++i) all += x[i];
    *result = all;  // expect: unordered, other
}

int main() {
    Array<int> x(100, [](int i) { return i; });
    int* result;
    check(cudaMallocManaged(&result, sizeof *result));
    sum<<<1, 1>>>(x, 100, result);
#ifndef BROKEN
    check(cudaDeviceSynchronize());
#endif
    const int all = *result;  // expect: unordered
    check(cudaDeviceSynchronize());
    check(cudaFree(result));
    return differs(all, 4950);
}
