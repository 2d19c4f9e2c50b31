// Half of the lanes shuffle up, the others down, and both name all 32.
#include "../arrays.h"

__global__ void fold(int* x) {
    const int lane = threadIdx.x;
    int value = lane;
#ifdef BROKEN
    if (lane < 16)
        value += __shfl_down_sync(0xffffffff, value, 16);  // expect: warp-mask
    else
        value += __shfl_up_sync(0xffffffff, value, 16);  // expect: warp-mask
#else
    value += __shfl_xor_sync(0xffffffff, value, 16);
#endif
    x[lane] = value;
}

int main() {
    Array<int> x(32);
    fold<<<1, 32>>>(x);
    return differs(x[0], 16) || differs(x[31], 46);
}
