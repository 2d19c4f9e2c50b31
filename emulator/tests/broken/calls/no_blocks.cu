// n / 256 is 0 for a short array.
#include "../arrays.h"

__global__ void negate(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = -x[i];
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
#ifdef BROKEN
    const int blocks = n / 256;
#else
    const int blocks = (n + 255) / 256;
#endif
    negate<<<blocks, 256>>>(x, n);  // expect: refused-launch
    check(cudaDeviceSynchronize());
    return differs(x[99], -99);
}
