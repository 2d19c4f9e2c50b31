// 64 threads look at their right neighbours in an array of 64.
#include "../arrays.h"

__global__ void differences(int* y) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t * t;
    __syncthreads();
#ifdef BROKEN
    const bool last = false;
#else
    const bool last = t == 63;
#endif
    y[t] = last ? 0 : cache[t + 1] - cache[t];  // expect: out-of-bounds
}

int main() {
    Array<int> y(64);
    differences<<<1, 64>>>(y);
    return differs(y[62], 125);
}
