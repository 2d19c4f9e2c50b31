// The lane with the lock waits behind the loop for the other lanes, as lanes in lockstep do; they wait for the lock.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
#ifdef BROKEN
    while (atomicCAS(lock, 0, 1) != 0) continue;  // expect: deadlock
    __syncwarp();                                 // may: deadlock
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);
#else
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *counter += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
#endif
}

int main() {
    Array<int> memory(2, 0);
    count<<<1, 32>>>(memory, memory + 1);
    return differs(memory[1], 32);
}
