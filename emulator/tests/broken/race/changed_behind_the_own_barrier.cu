// All blocks read a scale, and the last one changes it behind its own barrier, which no other block waits at.
#include "../arrays.h"

__global__ void scale_all(int* scale, const int* x, int* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * *scale;  // expect: race, other
    __syncthreads();
#ifdef BROKEN
    if (i == gridDim.x * blockDim.x - 1) *scale = x[0];  // expect: race
#endif
}

int main() {
    const int blocks = 3, threads = 64;
    Array<int> scale(1, [](int) { return 2; }), x(blocks * threads, [](int i) { return i + 1; });
    Array<int> y(blocks * threads);
    const int before = scale[0];
    scale_all<<<blocks, threads>>>(scale, x, y);
    return differs(y[5], x[5] * before);
}
