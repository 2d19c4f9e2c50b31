// A tree that halves a power of two adds up 128 elements; there are 100.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    __shared__ int cache[128];
    const int t = threadIdx.x;
#ifdef BROKEN
    if (t < n) cache[t] = x[t];
#else
    cache[t] = t < n ? x[t] : 0;
#endif
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) cache[t] += cache[t + step];  // expect: uninitialised
        __syncthreads();
    }
    if (t == 0) *result = cache[0];
}

int main() {
    Array<int> x(100, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 128>>>(x, 100, result);
    return differs(result[0], 4950);
}
