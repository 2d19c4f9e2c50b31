// The lanes of a warp take the lock one after another, so that two of them never wait for each other.
#include "../arrays.h"

__global__ void count(int* lock, int* counter) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (threadIdx.x % 32 != lane) continue;
        while (atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        *counter += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main() {
    Array<int> memory(2, 0);
    count<<<2, 64>>>(memory, memory + 1);
    return differs(memory[1], 128);
}
