// Each block has shared memory of its own; block 0 cannot fill it for all.
#include "../arrays.h"

__global__ void scale(int* x) {
    __shared__ int factor;
#ifdef BROKEN
    if (blockIdx.x == 0 && threadIdx.x == 0) factor = 3;
#else
    if (threadIdx.x == 0) factor = 3;
#endif
    __syncthreads();
    x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;  // expect: uninitialised
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    scale<<<2, 32>>>(x);
    return differs(x[63], 189);
}
