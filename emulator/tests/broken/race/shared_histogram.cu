// ++ is a load, an addition and a store: counts get lost.
#include "../arrays.h"

__global__ void histogram(const int* x, int* bins) {
    __shared__ int count[8];
    const int t = threadIdx.x;
    if (t < 8) count[t] = 0;
    __syncthreads();
#ifdef BROKEN
    ++count[x[t] % 8];  // expect: race
#else
    atomicAdd(&count[x[t] % 8], 1);
#endif
    __syncthreads();
    if (t < 8) bins[t] = count[t];
}

int main() {
    const int n = 96;
    Array<int> x(n, [](int i) { return 3 * i; });
    Array<int> bins(8);
    histogram<<<1, n>>>(x, bins);
    return differs(bins[7], 12);
}
