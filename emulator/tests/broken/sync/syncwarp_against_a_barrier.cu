// Some lanes wait for their warp, the rest of the warp waits for the block.
#include "../arrays.h"

__global__ void work(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t;
#ifdef BROKEN
    if (t % 32 < 8) __syncwarp();  // expect: warp-mask
#else
    if (t % 32 < 8) __syncwarp(0xff);
#endif
    __syncthreads();  // may: divergent-barrier, warp-mask
    x[t] = cache[63 - t];
}

int main() {
    Array<int> x(64);
    work<<<1, 64>>>(x);
    return differs(x[0], 63);
}
