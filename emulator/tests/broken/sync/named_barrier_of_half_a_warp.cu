// A named barrier is for whole warps. Here the halves of each warp go to two barriers.
#include "../arrays.h"

__global__ void turn_halves(const int* x, int* y) {
    __shared__ int values[64];
    const int i = threadIdx.x, lane = i % 32;
    values[i] = x[i];
#ifdef BROKEN
    const int barrier = 1 + lane / 16;
#else
    const int barrier = 1 + i / 32;
#endif
    asm volatile("barrier.sync %0, 32;" ::"r"(barrier) : "memory");  // expect: deadlock
    y[i] = values[i - lane + 31 - lane];
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64, 0);
    turn_halves<<<1, 64>>>(x, y);
    return differs(y[0], 31);
}
