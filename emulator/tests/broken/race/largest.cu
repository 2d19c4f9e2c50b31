// Compared first, stored then: between the two another thread may have stored something larger.
#include "../arrays.h"

__global__ void largest(const int* x, int* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    if (x[i] > *result)  // expect: race
        *result = x[i];  // expect: race, other
#else
    atomicMax(result, x[i]);
#endif
}

int main() {
    // data: as-is, constant, random: nothing of zeros is larger than the first
    Array<int> x(128, [](int i) { return i * 37 % 128; });
    Array<int> result(1, 0);
    largest<<<2, 64>>>(x, result);
    return differs(result[0], 127);
}
