// Two warps divide the work; the one that stores waits for the other, which does not come.
#include "../arrays.h"

__global__ void work(int* x) {
    __shared__ int cache[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) cache[lane] = 3 * lane;
#ifdef BROKEN
    if (warp == 0) __syncthreads();  // expect: divergent-barrier
    if (warp == 0) x[lane] = cache[31 - lane];
#else
    __syncthreads();
    if (warp == 1) x[lane] = cache[31 - lane];
#endif
}

int main() {
    Array<int> x(32);
    work<<<1, 64>>>(x);
    return differs(x[0], 93);
}
