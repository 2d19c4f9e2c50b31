// A vote of the block is on the right of &&: threads whose left side is false never come.
#include "../arrays.h"

__global__ void any_above(const int* x, int n, int limit, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    const bool any = i < n && __syncthreads_or(x[i] > limit);  // expect: divergent-barrier
#else
    const bool any = __syncthreads_or(i < n && x[i] > limit);
#endif
    if (i < n) y[i] = any;
}

int main() {
    Array<int> x(100, [](int i) { return i; }), y(100);
    any_above<<<2, 64>>>(x, 100, 98, y);
    return differs(y[64], 1);
}
