// The stores are protected by a lock, the load is not.
#include "../arrays.h"

__device__ void take(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
}

__device__ void give(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void deposit(int* lock, int* balance, int* seen) {
    take(lock);
    *balance += 10;  // expect: race
    give(lock);
#ifndef BROKEN
    take(lock);
#endif
    seen[blockIdx.x] = *balance;  // expect: race, other
#ifndef BROKEN
    give(lock);
#endif
}

int main() {
    Array<int> memory(12, 0);
    deposit<<<10, 1>>>(memory, memory + 1, memory + 2);
    return differs(memory[1], 100);
}
