// Threads of a block take turns behind a lock of theirs: fences and atomic operations of the block's scope are enough.
#include "../arrays.h"

__global__ void count(int* locks, int* counters) {
    int* lock = locks + blockIdx.x;
    while (atomicCAS_block(lock, 0, 1) != 0) continue;
    __threadfence_block();
    counters[blockIdx.x] += 1;
    __threadfence_block();
    atomicExch_block(lock, 0);
}

int main() {
    Array<int> locks(3, 0), counters(3, 0);
    count<<<3, 96>>>(locks, counters);
    return differs(counters[0] + counters[2], 192);
}
