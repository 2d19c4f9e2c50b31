// Inline PTX stores pairs of words, and one of them is behind the array.
#include "../arrays.h"

__global__ void reverse(int* y) {
    __shared__ alignas(8) int pairs[64];
    const int t = static_cast<int>(threadIdx.x);
#ifdef BROKEN
    const int at = t + 32;
#else
    const int at = t;
#endif
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&pairs[0]) + 8 * at);
    if (at < 32 || t < 1)
        asm volatile("st.shared.v2.s32 [%0], {%1, %1};" ::"r"(to), "r"(t) : "memory");  // expect: out-of-bounds
    __syncthreads();
#ifndef BROKEN
    y[t] = pairs[63 - t];
#endif
}

int main() {
    Array<int> y(32);
    reverse<<<1, 32>>>(y);
#ifdef BROKEN
    return 0;
#else
    return differs(y[0], 31);
#endif
}
