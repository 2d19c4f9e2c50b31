// A whole warp has nothing to do and returns: the barrier is the block's all the same.
#include "../arrays.h"

__global__ void reverse(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t >= 64) return;
#endif
    if (t < 64) cache[t] = x[t];
    __syncthreads();  // expect: divergent-barrier
    if (t < 64) x[t] = cache[63 - t];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    reverse<<<1, 96>>>(x);
    return differs(x[0], 63);
}
