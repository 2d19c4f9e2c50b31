// A scan in one launch: each block waits for the running total of the block before it. Blocks take their numbers by an
// atomic counter, so that the one waited for has begun.
#include "../arrays.h"

__global__ void scan(const int* x, int* y, unsigned* ticket, int* totals, volatile int* ready) {
    __shared__ int cache[32], before;
    __shared__ unsigned block;
    const int t = threadIdx.x;
    if (t == 0) block = atomicAdd(ticket, 1u);
    __syncthreads();
    cache[t] = x[32 * block + t];
    __syncthreads();
    int mine = 0;
    for (int i = 0; i <= t; ++i) mine += cache[i];
    if (t == 31) {
        if (block > 0) {
            while (ready[block - 1] == 0) continue;
            __threadfence();
        }
        before = block > 0 ? totals[block - 1] : 0;
        totals[block] = before + mine;
        __threadfence();
        ready[block] = 1;
    }
    __syncthreads();
    y[32 * block + t] = before + mine;
}

int main() {
    const int n = 320;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    Array<int> state(21, 0);
    scan<<<10, 32>>>(x, y, reinterpret_cast<unsigned*>(state.data()), state + 1, state + 11);
    return differs(y[n - 1], 51040);
}
