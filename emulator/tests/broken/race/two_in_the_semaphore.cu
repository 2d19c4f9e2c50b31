// A semaphore lets two threads in at a time, and both change the same word.
#include "../arrays.h"

__global__ void count(int* places, int* counter) {
    if (threadIdx.x % 16 != 0) return;
    for (;;) {
        const int free = atomicAdd(places, 0);
        if (free > 0 && atomicCAS(places, free, free - 1) == free) break;
    }
    __threadfence();
    *counter += 1;  // expect: race
    __threadfence();
    atomicAdd(places, 1);
}

int main() {
#ifdef BROKEN
    Array<int> places(1, 2), counter(1, 0);
#else
    Array<int> places(1, 1), counter(1, 0);
#endif
    count<<<4, 64>>>(places, counter);
    return differs(counter[0], 16);
}
