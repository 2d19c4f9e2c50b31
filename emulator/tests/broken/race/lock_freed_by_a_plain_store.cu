// A lock is taken by atomicCAS() and given back by a plain store: behind a fence, but a plain store is no message.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) continue;  // expect: race
    __threadfence();
    *counter += 1;
    __threadfence();
#ifdef BROKEN
    *lock = 0;  // expect: race, other
#else
    atomicExch(lock, 0);
#endif
}

int main() {
    Array<int> lock(1, 0), counter(1, 0);
    count<<<2, 64>>>(lock, counter);
    return differs(counter[0], 128);
}
