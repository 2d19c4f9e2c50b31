// The same memory as floats and as float4, in places where a float4 may lie.
#include "../arrays.h"

__global__ void twice(float* x, int n) {
    const int t = threadIdx.x;
    if (t < n / 4) {
        float4 v = reinterpret_cast<float4*>(x)[t];
        v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
        reinterpret_cast<float4*>(x)[t] = v;
    }
    const int rest = n / 4 * 4 + t;
    if (rest < n) x[rest] *= 2;
    __syncthreads();
    if (t + 1 < n && t % 2 == 0) reinterpret_cast<float2*>(x)[t / 2].y += 1;
}

int main() {
    const int n = 27;
    Array<float> x(n, [](int i) { return i; });
    twice<<<1, 32>>>(x, n);
    return differs(x[25], 51) || differs(x[26], 52);
}
