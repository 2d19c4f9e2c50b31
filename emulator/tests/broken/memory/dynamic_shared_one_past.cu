// One element too far in dynamic shared memory, with a static array in the same kernel.
#include "../arrays.h"

__global__ void shift(int* y) {
    __shared__ int offset[32];
    extern __shared__ int cache[];
    const int t = threadIdx.x;
    offset[t] = 1;
    cache[t] = 10 * t;
    __syncthreads();
#ifdef BROKEN
    y[t] = cache[t + offset[t]];  // expect: out-of-bounds
#else
    y[t] = cache[(t + offset[t]) % 32];
#endif
}

int main() {
    Array<int> y(32);
    shift<<<1, 32, 32 * sizeof(int)>>>(y);
    return differs(y[30], 310);
}
