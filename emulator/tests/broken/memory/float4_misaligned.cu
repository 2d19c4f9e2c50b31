// A float4 has to lie at a multiple of 16 bytes; x + 1 does not.
#include "../arrays.h"

__global__ void first_of_four(const float* x, float* y) {
#ifdef BROKEN
    const float* begin = x + 1;
#else
    const float* begin = x + 4;
#endif
    const float4 v = reinterpret_cast<const float4*>(begin)[threadIdx.x];  // expect: misaligned
    y[threadIdx.x] = v.x + v.w;
}

int main() {
    const int n = 8;
    Array<float> x(4 * n + 4, [](int i) { return i; });
    Array<float> y(n);
    first_of_four<<<1, n>>>(x, y);
    return differs(y[0], 11);
}
