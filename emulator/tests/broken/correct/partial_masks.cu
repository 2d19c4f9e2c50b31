// Each half of a warp shuffles in a branch of its own, with a mask that names just that half.
#include "../arrays.h"

__global__ void sums(int* y) {
    const int lane = threadIdx.x;
    int value = lane;
    if (lane < 16) {
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0x0000ffff, value, step, 16);
    } else {
        for (int step = 8; step > 0; step /= 2) value += __shfl_xor_sync(0xffff0000, value, step);
    }
    if (lane % 16 == 0) y[lane / 16] = value;
}

int main() {
    Array<int> y(2);
    sums<<<1, 32>>>(y);
    return differs(y[0], 120) || differs(y[1], 376);
}
