// A block has the barriers from 0 to 15, and each warp pair takes the one of its number plus one.
#include "../arrays.h"

#ifdef BROKEN
constexpr int first = 1;
#else
constexpr int first = 0;
#endif

__global__ void turn(const int* x, int* y) {
    __shared__ int values[1024];
    const int pair = threadIdx.x / 64, i = threadIdx.x % 64;
    values[threadIdx.x] = x[threadIdx.x];
    asm volatile("bar.sync %0, 64;" ::"r"(pair + first) : "memory");  // expect: trap
    y[threadIdx.x] = values[64 * pair + 63 - i];
}

int main() {
    Array<int> x(1024, [](int i) { return i; });
    Array<int> y(1024, 0);
    turn<<<1, 1024>>>(x, y);
    return differs(y[0], 63);
}
