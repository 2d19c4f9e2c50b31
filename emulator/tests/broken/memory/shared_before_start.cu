// Thread 0 looks at its left neighbour in shared memory.
#include "../arrays.h"

__global__ void differences(int* y) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t * t;
    __syncthreads();
#ifdef BROKEN
    const bool first = t < 0;
#else
    const bool first = t == 0;
#endif
    y[t] = first ? 0 : cache[t] - cache[t - 1];  // expect: out-of-bounds
}

int main() {
    Array<int> y(64);
    differences<<<1, 64>>>(y);
    return differs(y[63], 125);
}
