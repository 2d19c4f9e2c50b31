// 0u - 1 is 4,294,967,295, which passes for an index.
#include "../arrays.h"

__global__ void rotate(const int* x, int* y) {
    const unsigned i = threadIdx.x;
#ifdef BROKEN
    y[i] = x[i - 1];  // expect: out-of-bounds
#else
    y[i] = x[(i + blockDim.x - 1) % blockDim.x];
#endif
}

int main() {
    const int n = 100;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    rotate<<<1, n>>>(x, y);
    return differs(y[0], n - 1);
}
