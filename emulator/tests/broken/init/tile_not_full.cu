// The last tile is loaded as far as there are elements, and read whole.
#include "../arrays.h"

__global__ void sums(const int* x, int n, int* y) {
    __shared__ int tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
#ifdef BROKEN
    if (i < n) tile[t] = x[i];
#else
    tile[t] = i < n ? x[i] : 0;
#endif
    __syncthreads();
    int total = 0;
    for (int j = 0; j < 64; ++j) total += tile[j];  // expect: uninitialised
    if (t == 0) y[blockIdx.x] = total;
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(2);
    sums<<<2, 64>>>(x, n, y);
    return differs(y[1], 2934);
}
