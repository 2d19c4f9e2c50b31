// The last element has no neighbour on its right, and is asked for it all the same.
#include "../arrays.h"

__global__ void differences(const int* x, int* y, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    const bool inside = i < n;
#else
    const bool inside = i + 1 < n;
#endif
    if (inside) y[i] = x[i + 1] - x[i];  // expect: out-of-bounds
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i * i; });
    Array<int> y(n);
    differences<<<1, 128>>>(x, y, n);
    return differs(y[n - 2], 197);
}
