// The block that counts last adds up all sums, but without a fence the count may be seen before the sum.
#include "../arrays.h"

__global__ void sum(const int* x, int* sums, unsigned* count, int* result) {
    int total = 0;
    for (int i = 0; i < 32; ++i) total += x[32 * blockIdx.x + i];
    sums[blockIdx.x] = total;  // expect: race
#ifndef BROKEN
    __threadfence();
#endif
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
#ifndef BROKEN
        __threadfence();
#endif
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) all += sums[i];  // expect: race, other
        *result = all;
    }
}

int main() {
    Array<int> x(256, [](int i) { return i; });
    Array<int> sums(8);
    Array<unsigned> count(1, 0);
    Array<int> result(1);
    sum<<<8, 1>>>(x, sums, count, result);
    return differs(result[0], 32640);
}
