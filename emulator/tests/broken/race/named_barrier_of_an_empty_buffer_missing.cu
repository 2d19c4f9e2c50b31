// A warp makes values and another one uses them, through one buffer. Nothing says when the buffer is empty again, so
// that the first warp may store into it too early.
#include "../arrays.h"

__global__ void pass_on(const int* x, int* y, int n) {
    __shared__ int values[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; ++i) {
#ifndef BROKEN
            if (i > 0) asm volatile("barrier.sync 2, 64;" ::: "memory");
#endif
            values[lane] = x[32 * i + lane];  // expect: race, other
            asm volatile("barrier.sync 1, 64;" ::: "memory");
        }
    } else {
        for (int i = 0; i < n; ++i) {
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            y[32 * i + lane] = values[31 - lane];  // expect: race
#ifndef BROKEN
            if (i + 1 < n) asm volatile("barrier.arrive 2, 64;" ::: "memory");
#endif
        }
    }
}

int main() {
    const int n = 5;
    Array<int> x(32 * n, [](int i) { return i; });
    Array<int> y(32 * n);
    pass_on<<<1, 64>>>(x, y, n);
    return differs(y[0], 31);
}
