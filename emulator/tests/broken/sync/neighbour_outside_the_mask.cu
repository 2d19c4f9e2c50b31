// Half a warp takes its right neighbours' values; the last of its lanes asks one that is not in the mask, and stores
// that.
#include "../arrays.h"

__global__ void shift(const int* x, int* y) {
    const int lane = threadIdx.x;
    if (lane >= 16) return;
    const int mine = x[lane];
    int right = __shfl_down_sync(0xffff, mine, 1);  // expect: warp-mask
#ifndef BROKEN
    if (lane == 15) right = x[16];
#endif
    y[lane] = right;  // may: warp-mask
}

int main() {
    Array<int> x(32, [](int i) { return i; });
    Array<int> y(16);
    shift<<<1, 32>>>(x, y);
    return differs(y[15], 16);
}
