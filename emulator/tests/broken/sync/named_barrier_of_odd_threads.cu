// The last threads of the block have no value, and the barrier is for those that have one: no whole number of warps.
#include "../arrays.h"

__global__ void turn(const int* x, int* y, int n) {
    __shared__ int values[128];
    const int i = threadIdx.x;
#ifdef BROKEN
    const int threads = n;
#else
    const int threads = (n + 31) / 32 * 32;
#endif
    if (i >= threads) return;
    if (i < n) values[i] = x[i];
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");  // expect: trap
    if (i < n) y[i] = values[n - 1 - i];
}

int main() {
    const int n = 75;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n, 0);
    turn<<<1, 128>>>(x, y, n);
    return differs(y[0], n - 1);
}
