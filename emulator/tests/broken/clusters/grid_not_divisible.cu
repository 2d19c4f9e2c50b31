// 10 blocks cannot be divided into clusters of 4, and nobody looks at the error.
#include "../arrays.h"

__global__ void __cluster_dims__(4, 1, 1) fill(int* y) {
    y[blockIdx.x * 32 + threadIdx.x] = static_cast<int>(blockIdx.x);
}

int main() {
    Array<int> y(512, 7);
#ifdef BROKEN
    fill<<<10, 32>>>(y);  // expect: refused-launch
#else
    fill<<<12, 32>>>(y);
#endif
    return differs(y[319], 9);
}
