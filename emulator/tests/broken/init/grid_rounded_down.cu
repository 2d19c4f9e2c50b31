// n / 64 blocks are one too few, and the last elements are never computed. The next kernel reads them.
#include "../arrays.h"

__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void twice(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // expect: uninitialised
}

int main() {
    const int n = 150;
    Array<int> x(n);
    Array<int> y(n);
#ifdef BROKEN
    fill<<<n / 64, 64>>>(x, n);
#else
    fill<<<(n + 63) / 64, 64>>>(x, n);
#endif
    twice<<<(n + 63) / 64, 64>>>(x, y, n);
    return differs(y[n - 1], 298);
}
