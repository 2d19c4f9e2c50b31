// The maximum by an exchange for what was computed from a plain load: a larger value that another thread stores between
// the two is lost.
#include "../arrays.h"

__global__ void reduce(const int* x, int* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    // data: as-is, random: of values that are all alike none is lost
    atomicExch(result, max(*result, x[i]));  // expect: race
#else
    atomicMax(result, x[i]);
#endif
}

int main() {
    Array<int> x(128, [](int i) { return i * 37 % 128 + 1; }), result(1, 0);
    reduce<<<4, 32>>>(x, result);
    return differs(int(result[0]), 128);
}
