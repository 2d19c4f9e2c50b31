// Some threads skip a round with continue, and its barrier with it.
#include "../arrays.h"

__global__ void sum(int* result) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    cache[t] = t;
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
#ifdef BROKEN
        if (t >= step) continue;
        cache[t] += cache[t + step];
#else
        if (t < step) cache[t] += cache[t + step];
#endif
        __syncthreads();  // expect: divergent-barrier
    }
    if (t == 0) *result = cache[0];
}

int main() {
    Array<int> result(1);
    sum<<<1, 64>>>(result);
    return differs(result[0], 2016);
}
