// A warp fills two buffers and says so at one barrier, twice. The second time counts as if the other warp had come,
// which then waits in vain.
#include "../arrays.h"

__global__ void pass_on(const int* x, int* y) {
    __shared__ int values[2][32];
    const int lane = threadIdx.x % 32;
#ifdef BROKEN
    const int second = 1;
#else
    const int second = 2;
#endif
    if (threadIdx.x < 32) {
        values[0][lane] = x[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        values[1][lane] = x[32 + lane];
        asm volatile("bar.arrive %0, 64;" ::"r"(second) : "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");  // expect: deadlock
        y[lane] = values[0][31 - lane];
        asm volatile("bar.sync %0, 64;" ::"r"(second) : "memory");
        y[32 + lane] = values[1][31 - lane];
    }
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64, 0);
    pass_on<<<1, 64>>>(x, y);
    return differs(y[0], 31);
}
