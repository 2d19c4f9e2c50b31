// Every second block takes the two locks the other way round, and soon each waits for the one that another one holds.
#include "../arrays.h"

__device__ int locks[2], balance[2];

__global__ void transfer(int rounds) {
#ifdef BROKEN
    const int one = blockIdx.x % 2;
#else
    const int one = 0;
#endif
    for (int i = 0; i < rounds; ++i) {
        // says: Each of them holds a lock that another one waits for: they do not take the locks in the same order.
        while (atomicCAS(&locks[one], 0, 1) != 0) continue;      // expect: deadlock
        while (atomicCAS(&locks[1 - one], 0, 1) != 0) continue;  // may: deadlock
        __threadfence();
        --balance[one];
        ++balance[1 - one];
        __threadfence();
        atomicExch(&locks[1 - one], 0);
        atomicExch(&locks[one], 0);
    }
}

int main() {
    int host[2] = {};
    transfer<<<8, 1>>>(50);
    check(cudaMemcpyFromSymbol(host, balance, sizeof host));
    return differs(host[1], 400);
}
