// atomicAdd_block() is atomic for the threads of one block; two blocks use the counter.
#include "../arrays.h"

__global__ void count(int* counter) {
#ifdef BROKEN
    atomicAdd_block(counter, 1);  // expect: race
#else
    atomicAdd(counter, 1);
#endif
}

int main() {
    Array<int> counter(1, 0);
    count<<<2, 64>>>(counter);
    return differs(counter[0], 128);
}
