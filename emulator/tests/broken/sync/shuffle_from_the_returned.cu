// Lanes without an element have returned, and their values are asked for.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    if (lane >= n) return;
    int value = x[lane];
#else
    int value = lane < n ? x[lane] : 0;
#endif
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);  // expect: warp-mask
    if (lane == 0) *result = value;
}

int main() {
    Array<int> x(20, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 32>>>(x, 20, result);
    return differs(result[0], 190);
}
