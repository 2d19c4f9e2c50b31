// Two warps use what two others make. They come to the named barrier by bar.arrive, which does not wait.
#include "../arrays.h"

__global__ void pass_on(const int* x, int* y) {
    __shared__ int values[64];
    const int thread = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        values[thread] = x[thread];  // expect: race
        asm volatile("bar.sync 1, 128;" ::: "memory");
    } else {
#ifdef BROKEN
        asm volatile("bar.arrive 1, 128;" ::: "memory");
#else
        asm volatile("bar.sync 1, 128;" ::: "memory");
#endif
        y[thread] = values[63 - thread];  // expect: race, other
    }
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> y(64);
    pass_on<<<1, 128>>>(x, y);
    return differs(y[0], 63);
}
