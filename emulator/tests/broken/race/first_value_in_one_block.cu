// One thread sets the sum to zero, and a __syncthreads() follows: the other block may have added to it before.
#include "../arrays.h"

__global__ void total(const int* x, int* sum) {
#ifdef BROKEN
    if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0;  // expect: race
#endif
    __syncthreads();
    atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);  // expect: race, other
    // says: store it in an earlier launch
}

int main() {
    Array<int> x(64, [](int i) { return i; });
    Array<int> sum(1, [](int) { return 0; });
    total<<<2, 32>>>(x, sum);
    return differs(sum[0], 64 * 63 / 2);
}
