// 80 elements: in the third round half of the lanes have left the loop.
#include "../arrays.h"

__global__ void sums(const int* x, int n, int* y) {
    const int lane = threadIdx.x;
#ifdef BROKEN
    for (int i = lane; i < n; i += 32) {
        int value = x[i];
#else
    for (int i = lane; i < (n + 31) / 32 * 32; i += 32) {
        int value = i < n ? x[i] : 0;
#endif
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_xor_sync(0xffffffff, value, step);  // expect: warp-mask
        if (lane == 0) y[i / 32] = value;
    }
    __syncwarp();  // may: warp-mask
}

int main() {
    const int n = 80;
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(3);
    sums<<<1, 32>>>(x, n, y);
    return differs(y[2], 1144);
}
