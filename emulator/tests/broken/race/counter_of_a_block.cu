// All threads of a block add to one counter in global memory.
#include "../arrays.h"

__global__ void count(const int* x, int* even) {
#ifdef BROKEN
    if (x[threadIdx.x] % 2 == 0) *even += 1;  // expect: race
#else
    if (x[threadIdx.x] % 2 == 0) atomicAdd(even, 1);
#endif
}

int main() {
    Array<int> x(64, [](int i) { return i * i; });
    Array<int> even(1, 0);
    count<<<1, 64>>>(x, even);
    return differs(even[0], 32);
}
