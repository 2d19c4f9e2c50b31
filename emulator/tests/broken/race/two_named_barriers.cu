// Each half of a block exchanges values within itself, behind a named barrier of its own. Here it reads those of the
// other half.
#include "../arrays.h"

__global__ void turn_halves(const int* x, int* y) {
    __shared__ int values[128];
    const int half = threadIdx.x / 64, i = threadIdx.x % 64;
    values[threadIdx.x] = x[threadIdx.x];  // expect: race
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
#ifdef BROKEN
    y[threadIdx.x] = values[64 * (1 - half) + 63 - i];  // expect: race, other
#else
    y[threadIdx.x] = values[64 * half + 63 - i];
#endif
}

int main() {
    Array<int> x(128, [](int i) { return i; });
    Array<int> y(128);
    turn_halves<<<1, 128>>>(x, y);
#ifdef BROKEN
    return differs(y[0], 127);
#else
    return differs(y[0], 63);
#endif
}
