// Every thread overwrites what its neighbours, in other blocks too, have yet to read.
#include "../arrays.h"

__global__ void smooth(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) {
        const int sum = x[i - 1] + x[i] + x[i + 1];  // expect: race
        y[i] = sum / 3;                              // expect: race, other
    }
}

int main() {
    const int n = 128;
    Array<int> x(n, [](int i) { return 3 * i * i; });
#ifdef BROKEN
    smooth<<<2, 64>>>(x, x, n);
    return differs(x[2], 14);
#else
    Array<int> y(n);
    smooth<<<2, 64>>>(x, y, n);
    return differs(y[2], 14);
#endif
}
