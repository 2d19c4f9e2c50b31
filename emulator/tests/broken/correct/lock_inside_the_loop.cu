// Every lane takes a lock; who has it does its work in the loop and gives it back before the others try again.
#include "../arrays.h"

__global__ void count(int* locks, int* counters, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, mine = i % n;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[mine], 0, 1) == 0) {
            __threadfence();
            counters[mine] += i;
            __threadfence();
            atomicExch(&locks[mine], 0);
            done = true;
        }
    }
}

int main() {
    const int n = 5;
    Array<int> locks(n, 0);
    Array<int> counters(n, 0);
    count<<<2, 64>>>(locks, counters, n);
    return differs(counters[0], 1625);
}
