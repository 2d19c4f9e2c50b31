// The counts of a thread begin with whatever lies in its local memory.
#include "../arrays.h"

__global__ void remainders(const int* x, int n, int* y) {
    int count[5];
#ifndef BROKEN
    for (int& c : count) c = 0;
#endif
    for (int i = 0; i < n; ++i) ++count[x[i] % 5];  // expect: uninitialised
    y[threadIdx.x] = count[threadIdx.x];            // may: uninitialised
}

int main() {
    const int n = 50;
    Array<int> x(n, [](int i) { return i * i; });
    Array<int> y(5);
    remainders<<<1, 5>>>(x, n, y);
    return differs(y[4], 20);
}
