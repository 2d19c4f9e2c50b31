// i / 2 is the same for two threads, and they store different values.
#include "../arrays.h"

__global__ void halve(const int* x, int* y) {
    const int i = threadIdx.x;
#ifdef BROKEN
    // says: Two threads write the same element: often the index is wrong
    y[i / 2] = x[i];  // expect: race
#else
    if (i % 2 == 1) y[i / 2] = x[i];
#endif
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(32);
    halve<<<1, 64>>>(x, y);
    return differs(y[31], 63);
}
