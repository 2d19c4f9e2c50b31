// Warps without work return; the others synchronise themselves only.
#include "../arrays.h"

__global__ void rotate(int* x, int warps) {
    __shared__ int cache[128];
    const int t = threadIdx.x, lane = t % 32;
    if (t / 32 >= warps) return;
    cache[t] = x[t];
    __syncwarp();
    x[t] = cache[t - lane + (lane + 1) % 32] + __shfl_sync(0xffffffff, cache[t], 0);
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    rotate<<<1, 128>>>(x, 3);
    return differs(x[95], 128) || differs(x[96], 96);
}
