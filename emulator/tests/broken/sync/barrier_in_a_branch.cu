// Only half of the threads come to the barrier.
#include "../arrays.h"

__global__ void sum(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t;
    __syncthreads();
#ifdef BROKEN
    if (t < 32) {
        cache[t] += cache[t + 32];
        __syncthreads();  // expect: divergent-barrier
    }
#else
    if (t < 32) cache[t] += cache[t + 32];
    __syncthreads();
#endif
    x[t] = cache[t];
}

int main() {
    Array<int> x(64);
    sum<<<1, 64>>>(x);
    return differs(x[31], 94);
}
