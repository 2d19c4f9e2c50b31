// Shared memory ends with its block: the next kernel does not find what the last one left there.
#include "../arrays.h"

__global__ void load_and_add(const int* x, int* y, bool load) {
    __shared__ int cache[64];
    const int t = threadIdx.x;
    if (load) cache[t] = x[t];
    __syncthreads();
    y[t] = cache[63 - t] + (load ? 0 : 1);  // expect: uninitialised
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    load_and_add<<<1, 64>>>(x, y, true);
#ifdef BROKEN
    load_and_add<<<1, 64>>>(x, y, false);
#else
    load_and_add<<<1, 64>>>(x, y, true);
#endif
    return differs(y[0], 63);
}
