// Block 0 adds up the sums of all blocks, and nothing says that they are there. A second launch would.
#include "../arrays.h"

__global__ void sum(const int* x, int* sums) {
    int total = 0;
    for (int i = 0; i < 32; ++i) total += x[32 * blockIdx.x + i];
    sums[blockIdx.x] = total;  // expect: race
#ifdef BROKEN
    if (blockIdx.x == 0)
        for (unsigned i = 1; i < gridDim.x; ++i) sums[0] += sums[i];  // expect: race, other
#endif
}

#ifndef BROKEN
__global__ void add_up(int* sums, int n) {
    for (int i = 1; i < n; ++i) sums[0] += sums[i];
}
#endif

int main() {
    Array<int> x(256, [](int i) { return i; });
    Array<int> sums(8, 0);
    sum<<<8, 1>>>(x, sums);
#ifndef BROKEN
    add_up<<<1, 1>>>(sums, 8);
#endif
    return differs(sums[0], 32640);
}
