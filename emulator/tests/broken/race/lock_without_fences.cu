// Who gets the lock need not see what the last owner has stored.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
#ifndef BROKEN
    __threadfence();
#endif
    *counter += 1;  // expect: race
#ifndef BROKEN
    __threadfence();
#endif
    atomicExch(lock, 0);
}

int main() {
    Array<int> memory(2, 0);
    count<<<20, 1>>>(memory, memory + 1);
    return differs(memory[1], 20);
}
