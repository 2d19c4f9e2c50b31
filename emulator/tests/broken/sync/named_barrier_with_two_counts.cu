// Two warps meet at a named barrier. One says that it is for 64 threads, the other one for 128.
#include "../arrays.h"

#ifdef BROKEN
constexpr int threads = 128;
#else
constexpr int threads = 64;
#endif

__global__ void pass_on(const int* x, int* y) {
    __shared__ int values[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        values[lane] = x[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");  // expect: trap
    } else if (warp == 1) {
        asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");  // expect: trap
        y[lane] = values[31 - lane];
    }
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> y(32, 0);
    pass_on<<<1, 128>>>(x, y);
    return differs(y[0], 31);
}
