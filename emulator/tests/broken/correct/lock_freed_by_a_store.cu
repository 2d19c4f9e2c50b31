// A lock is taken by atomicCAS() and given back by a store through volatile, behind a fence. Others try meanwhile.
#include "../arrays.h"

__global__ void count(volatile int* lock, int* counter) {
    for (int lane = 0; lane < 32; ++lane) {
        if (static_cast<int>(threadIdx.x % 32) != lane) continue;
        while (atomicCAS(const_cast<int*>(lock), 0, 1) != 0) continue;
        __threadfence();
        *counter += 1;
        __threadfence();
        *lock = 0;
    }
}

int main() {
    Array<int> memory(2, 0);
    count<<<2, 64>>>(memory, memory + 1);
    return differs(memory[1], 128);
}
