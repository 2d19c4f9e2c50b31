// Each block begins one element too early, where its neighbour has its last one.
#include "../arrays.h"

__global__ void fill(int* x) {
#ifdef BROKEN
    const int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
#else
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    x[i] = 10 * blockIdx.x + threadIdx.x;  // expect: race
}

int main() {
    Array<int> x(128);
    fill<<<2, 64>>>(x);
    return differs(x[126], 72);
}
