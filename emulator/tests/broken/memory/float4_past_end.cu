// 30 floats are seven float4 and a half; the eighth ends outside.
#include "../arrays.h"

__global__ void twice(float4* x, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    if (i < (n + 3) / 4) {
#else
    if (i < n / 4) {
#endif
        float4 v = x[i];  // expect: out-of-bounds
        v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
        x[i] = v;  // may: out-of-bounds
    }
#ifndef BROKEN
    if (i < n % 4) reinterpret_cast<float*>(x)[n / 4 * 4 + i] *= 2;
#endif
}

int main() {
    const int n = 30;
    Array<float> x(n, [](int i) { return i; });
    twice<<<1, 32>>>(reinterpret_cast<float4*>(x.data()), n);
    return differs(x[n - 1], 58);
}
