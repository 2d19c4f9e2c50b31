// The last block has more threads than there are elements left, and nobody asks whether i < n.
#include "../arrays.h"

__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    x[i] = i % n;  // expect: out-of-bounds
#else
    if (i < n) x[i] = i % n;
#endif
}

int main() {
    const int n = 1000;
    Array<int> x(n);
    fill<<<4, 256>>>(x, n);
    return differs(x[n - 1], 999);
}
