// One way out of the function forgets the lock.
#include "../arrays.h"

__device__ int mutex, used;

__device__ bool reserve(int places) {
    while (atomicCAS(&mutex, 0, 1) != 0) continue;  // expect: deadlock
    __threadfence();
#ifdef BROKEN
    if (used + 1 > places) return false;
    ++used;
    const bool found = true;
#else
    const bool found = used + 1 <= places;
    if (found) ++used;
#endif
    __threadfence();
    atomicExch(&mutex, 0);
    return found;
}

__global__ void guests(int places) {
    reserve(places);
}

int main() {
    int host = 0;
    guests<<<10, 1>>>(5);
    cudaMemcpyFromSymbol(&host, used, sizeof host);
    return differs(host, 5);
}
