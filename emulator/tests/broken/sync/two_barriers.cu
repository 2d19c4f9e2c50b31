// Each branch has a barrier of its own: the threads wait at different ones.
#include "../arrays.h"

__global__ void exchange(int* x) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t % 2 == 0) {
        cache[t] = t;
        __syncthreads();  // expect: divergent-barrier
    } else {
        cache[t] = -t;
        __syncthreads();  // expect: divergent-barrier
    }
#else
    cache[t] = t % 2 == 0 ? t : -t;
    __syncthreads();
#endif
    x[t] = cache[t ^ 1];
}

int main() {
    Array<int> x(64);
    exchange<<<1, 64>>>(x);
    return differs(x[0], -1) || differs(x[63], 62);
}
