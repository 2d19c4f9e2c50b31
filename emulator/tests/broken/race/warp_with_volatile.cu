// Warp-synchronous code of the old days: volatile keeps the values out of registers, and orders nothing.
#include "../arrays.h"

#ifdef BROKEN
#define STEP_ENDS ((void)0)
#else
#define STEP_ENDS __syncwarp()
#endif

__device__ void last_warp(volatile int* cache, int t) {
    for (int step = 16; step > 0; step /= 2) {
        if (t < step) cache[t] = cache[t] + cache[t + step];  // expect: race
        STEP_ENDS;
    }
}

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[32];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    last_warp(cache, t);
    if (t == 0) *result = cache[0];
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 32>>>(x, result);
    return differs(result[0], 496);
}
