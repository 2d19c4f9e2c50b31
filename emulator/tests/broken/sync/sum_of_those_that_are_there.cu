// The lanes that are there add up their values. The mask is right, and lanes that have returned are asked all the same.
#include "../arrays.h"

__global__ void add(const float* x, float* y, int n) {
    const int t = static_cast<int>(threadIdx.x);
#ifndef BROKEN
    float sum = t < n ? x[t] : 0;
#else
    if (t >= n) return;
    float sum = x[t];
#endif
    // says: which does not take part
    // says: often some have returned
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(__activemask(), sum, d);  // expect: warp-mask
    if (t == 0) *y = sum;                                                             // expect: warp-mask
}

int main() {
    Array<float> x(32, [](int i) { return i; });
    Array<float> y(1);
    add<<<1, 32>>>(x, y, 20);
    return differs(y[0], 190);
}
