// Half of the lanes ask all 32 for their values.
#include "../arrays.h"

__global__ void sum(const int* x, int* result) {
    const int lane = threadIdx.x;
    int value = x[lane];
#ifdef BROKEN
    if (lane < 16) {
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);  // expect: warp-mask
    }
#else
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
#endif
    if (lane == 0) *result = value;
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> result(1);
    sum<<<1, 32>>>(x, result);
    return differs(result[0], 496);
}
