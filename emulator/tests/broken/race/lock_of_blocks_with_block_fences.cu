// A lock of two blocks has fences that order only what threads of one block do.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) continue;
#ifdef BROKEN
    __threadfence_block();
    *counter += 1;  // expect: race
    __threadfence_block();
#else
    __threadfence();
    *counter += 1;
    __threadfence();
#endif
    atomicExch(lock, 0);
}

int main() {
    Array<int> lock(1, 0), counter(1, 0);
    count<<<2, 96>>>(lock, counter);
    return differs(counter[0], 6);
}
