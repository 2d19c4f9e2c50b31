// The last warp is not full. Its lanes add up what lanes outside of the mask give, which is undefined.
#include "../arrays.h"

__global__ void sum(const float* x, int n, float* result) {
    const int lane = threadIdx.x % 32, i = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    float value = x[i];
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_down_sync(mask, value, step);  // expect: warp-mask
#ifndef BROKEN
        if (lane + step < __popc(mask))
#endif
            value += other;
    }
    if (lane == 0) result[i / 32] = value;  // may: warp-mask
}

int main() {
    Array<float> x(52, [](int i) { return i; });
    Array<float> result(2, 0);
    sum<<<1, 64>>>(x, 52, result);
    return differs(result[0], 496) || differs(result[1], 830);
}
