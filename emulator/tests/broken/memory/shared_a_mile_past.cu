// The index in the grid is used for the block's own array.
#include "../arrays.h"

__global__ void copy(int* y, int first_block) {
    __shared__ int cache[128];
    const int i = (first_block + blockIdx.x) * blockDim.x + threadIdx.x;
#ifdef BROKEN
    const int mine = i;
#else
    const int mine = threadIdx.x;
#endif
    cache[mine] = i;                                         // expect: out-of-bounds
    y[blockIdx.x * blockDim.x + threadIdx.x] = cache[mine];  // may: out-of-bounds
}

int main() {
    Array<int> y(256);
    copy<<<2, 128>>>(y, 500);
    return differs(y[255], 501 * 128 + 127);
}
