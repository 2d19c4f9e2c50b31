// A local table is asked with an index that comes from the data.
#include "../arrays.h"

__global__ void decode(const int* x, int* y) {
    int power[8];
    for (int i = 0; i < 8; ++i) power[i] = 1 << i;
#ifdef BROKEN
    y[threadIdx.x] = power[x[threadIdx.x]];  // expect: out-of-bounds
#else
    y[threadIdx.x] = power[x[threadIdx.x] & 7];
#endif
}

int main() {
    const int n = 32;
    // data: as-is, constant, random: they are the index
    Array<int> x(n, [](int i) { return 1600 * i + i % 8; });
    Array<int> y(n);
    decode<<<1, n>>>(x, y);
    return differs(y[31], 128);
}
