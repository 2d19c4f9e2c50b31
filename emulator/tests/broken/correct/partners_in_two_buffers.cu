// Lanes exchange values with a partner through shared memory, in one of two buffers by turns: one __syncwarp() a step
// is enough.
#include "../arrays.h"

__global__ void largest(const int* x, int* y) {
    __shared__ int slots[2][4][32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int mine = x[i];
    for (int bit = 0; bit < 5; ++bit) {
        int* slot = slots[bit % 2][warp];
        slot[lane] = mine;
        __syncwarp();
        mine = max(mine, slot[lane ^ 1 << bit]);
    }
    y[i] = mine;
}

int main() {
    const int n = 256;
    Array<int> x(n, [](int i) { return i * 37 % n; });
    Array<int> y(n);
    largest<<<2, 128>>>(x, y);
    int most = 0;
    for (int i = 0; i < n; i += 32) most = most > y[i] ? most : y[i];
    return differs(most, 255);
}
