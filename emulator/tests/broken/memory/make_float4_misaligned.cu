// A float4 of constants, stored by make_float4() one float too far.
#include "../arrays.h"

__global__ void clear(float* x) {
#ifdef BROKEN
    float4* begin = reinterpret_cast<float4*>(x + 1);
#else
    float4* begin = reinterpret_cast<float4*>(x + 4);
#endif
    begin[threadIdx.x] = make_float4(0, 0, 0, 1);  // expect: misaligned
}

int main() {
    const int n = 8;
    Array<float> x(4 * n + 4, [](int i) { return i; });
    clear<<<1, n>>>(x);
    return differs(x[7], 1);
}
