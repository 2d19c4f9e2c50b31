// Each thread loads two neighbours at once from shared memory, from odd elements on.
#include "../arrays.h"

__global__ void pairs(const float* x, float* y) {
    __shared__ alignas(8) float tile[66];
    const int t = threadIdx.x;
    tile[t] = x[t];
    if (t < 2) tile[64 + t] = 0;
    __syncthreads();
#ifdef BROKEN
    const float2 two = *reinterpret_cast<const float2*>(tile + t);  // expect: misaligned
#else
    const float2 two = make_float2(tile[t], tile[t + 1]);
#endif
    y[t] = two.x + two.y;
}

int main() {
    Array<float> x(64, [](int i) { return i; }), y(64);
    pairs<<<1, 64>>>(x, y);
    return differs(y[3], 7);
}
