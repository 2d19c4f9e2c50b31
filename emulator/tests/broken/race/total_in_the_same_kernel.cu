// Blocks add to a total in device memory, and one of them reads it in the same launch: others may not have added yet.
#include "../arrays.h"

__global__ void sum(const int* x, int* total, int* mean, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(total, x[i]);  // expect: race
#ifdef BROKEN
    if (i == n - 1) *mean = *total / n;  // expect: race, other
#endif
}

__global__ void divide(const int* total, int* mean, int n) {
    *mean = *total / n;
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return i; });
    Array<int> total(1, 0), mean(1, 0);
    sum<<<4, 32>>>(x, total, mean, n);
    divide<<<1, 1>>>(total, mean, n);
    return differs(mean[0], 63);
}
