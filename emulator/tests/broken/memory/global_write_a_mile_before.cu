// An offset that was meant for another array leads far in front of this one.
#include "../arrays.h"

__global__ void fill(int* x, int offset) {
    x[static_cast<int>(threadIdx.x) - offset] = threadIdx.x;  // expect: out-of-bounds
}

int main() {
    const int n = 64;
    Array<int> x(n);
#ifdef BROKEN
    fill<<<1, n>>>(x, 50'000'000);
#else
    fill<<<1, n>>>(x, 0);
#endif
    return differs(x[n - 1], n - 1);
}
