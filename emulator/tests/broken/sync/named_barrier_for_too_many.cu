// One warp makes values and another one uses them, and the barrier between them is for three warps.
#include "../arrays.h"

#ifdef BROKEN
constexpr int threads = 96;
#else
constexpr int threads = 64;
#endif

__global__ void pass_on(const int* x, int* y) {
    __shared__ int values[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        values[lane] = x[lane];
        asm volatile("bar.arrive 5, %0;" ::"n"(threads) : "memory");
    } else if (warp == 1) {
        asm volatile("bar.sync 5, %0;" ::"n"(threads) : "memory");  // expect: deadlock
        y[lane] = values[31 - lane];
    }
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> y(32, 0);
    pass_on<<<1, 96>>>(x, y);
    return differs(y[0], 31);
}
