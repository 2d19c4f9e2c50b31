// One warp writes, another one reads, a third one has returned: __syncwarp() is for one warp, __syncthreads() for all.
#include "../arrays.h"

__global__ void reverse(const int* x, int* y) {
    __shared__ int buffer[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 2) return;
    if (warp == 0) buffer[lane] = x[lane];  // expect: race
#ifdef BROKEN
    __syncwarp();
#else
    asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
    // says: All threads of the block have to reach it; if some have returned, or only some warps take part,
    // says: those need a bar.sync with their number, or a cuda::barrier.
    if (warp == 1) y[lane] = buffer[31 - lane];  // expect: race, other
}

int main() {
    Array<int> x(32, [](int i) { return i; }), y(32);
    reverse<<<1, 96>>>(x, y);
    return differs(y[0], 31);
}
