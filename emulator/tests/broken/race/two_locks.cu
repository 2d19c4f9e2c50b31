// Every block takes a lock, but not the same one.
#include "../arrays.h"

__global__ void count(int* locks, int* counter) {
#ifdef BROKEN
    int* lock = &locks[blockIdx.x % 2];
#else
    int* lock = &locks[0];
#endif
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *counter += 1;  // expect: race
    __threadfence();
    atomicExch(lock, 0);
}

int main() {
    Array<int> memory(3, 0);
    count<<<20, 1>>>(memory, memory + 2);
    return differs(memory[2], 20);
}
