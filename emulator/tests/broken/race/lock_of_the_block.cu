// atomicCAS_block() takes a lock that another block wants, too.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
#ifdef BROKEN
    while (atomicCAS_block(lock, 0, 1) != 0) continue;  // expect: race
#else
    while (atomicCAS(lock, 0, 1) != 0) continue;
#endif
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);  // expect: race, other
}

int main() {
    Array<int> lock(1, 0), counter(1, 0);
    count<<<2, 32>>>(lock, counter);
    return differs(counter[0], 64);
}
