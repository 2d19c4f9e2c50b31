// Element 0 has no neighbour on its left.
#include "../arrays.h"

__global__ void differences(const int* x, int* y) {
    const int i = threadIdx.x;
#ifdef BROKEN
    y[i] = x[i] - x[i - 1];  // expect: out-of-bounds
#else
    y[i] = x[i] - (i > 0 ? x[i - 1] : 0);
#endif
}

int main() {
    const int n = 96;
    Array<int> x(n, [](int i) { return i * i; });
    Array<int> y(n);
    differences<<<1, n>>>(x, y);
    return differs(y[n - 1], 189);
}
