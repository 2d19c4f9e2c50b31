// Two blocks of one thread each add to one counter.
#include "../arrays.h"

__global__ void count(int* counter) {
#ifdef BROKEN
    *counter += 1;  // expect: race
#else
    atomicAdd(counter, 1);
#endif
}

int main() {
    Array<int> counter(1, 0);
    count<<<2, 1>>>(counter);
    return differs(counter[0], 2);
}
