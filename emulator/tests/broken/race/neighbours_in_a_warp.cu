// Each lane leaves a value for its neighbour and takes one at once: lanes of a warp do not run in lockstep.
#include "../arrays.h"

__global__ void exchange(int* x) {
    __shared__ int cache[32];
    const int lane = threadIdx.x;
    cache[lane] = x[lane];  // expect: race
#ifndef BROKEN
    __syncwarp();
#endif
    x[lane] = cache[lane ^ 1];  // expect: race, other
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    exchange<<<1, 32>>>(x);
    return differs(x[0], 1) || differs(x[31], 30);
}
