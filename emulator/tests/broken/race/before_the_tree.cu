// No barrier between the stores to shared memory and the tree that adds them up.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
    cache[t] = x[t];  // expect: race
#ifndef BROKEN
    __syncthreads();
#endif
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) cache[t] += cache[t + step];  // expect: race, other
        __syncthreads();
    }
    if (t == 0) *result = cache[0];
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 128>>>(x, result);
    return differs(result[0], 8128);
}
