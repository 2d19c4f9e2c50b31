// Values 0, 5 ... 100 in ten bins of ten: 100 belongs to an eleventh.
#include "../arrays.h"

__global__ void histogram(const int* x, int n, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef BROKEN
    const int bin = x[i] / 10;
#else
    const int bin = min(x[i] / 10, 9);
#endif
    atomicAdd(&bins[bin], 1);  // expect: out-of-bounds
}

int main() {
    const int n = 303;
    // data: as-is, random: one of them is the wrong index
    Array<int> x(n, [](int i) { return i % 21 * 5; });
    Array<int> bins(10, 0);
    histogram<<<3, 128>>>(x, n, bins);
    return differs(bins[9], 42);
}
