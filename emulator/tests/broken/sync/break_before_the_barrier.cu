// A thread that is done leaves the loop, and the barrier in it to the others.
#include "../arrays.h"

__global__ void collatz(int* steps) {
    int value = threadIdx.x + 1, n = 0;
    for (int round = 0; round < 120; ++round) {
#ifdef BROKEN
        if (value == 1) break;
#endif
        if (value != 1) value = value % 2 == 0 ? value / 2 : 3 * value + 1, ++n;
        __syncthreads();  // expect: divergent-barrier
    }
    steps[threadIdx.x] = n;
}

int main() {
    Array<int> steps(32);
    collatz<<<1, 32>>>(steps);
    return differs(steps[26], 111);
}
