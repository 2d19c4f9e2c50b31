// Each of three blocks takes the lock to its left and then the one to its right: soon each holds one and waits for the
// next.
#include "../arrays.h"

__device__ int forks[3];

__global__ void dine(int* meals, int rounds) {
    int first = blockIdx.x, second = (blockIdx.x + 1) % 3;
#ifndef BROKEN
    if (first > second) {
        first = second;
        second = blockIdx.x;
    }
#endif
    for (int i = 0; i < rounds; ++i) {
        // says: in the same order
        while (atomicCAS(&forks[first], 0, 1) != 0) continue;  // expect: deadlock
        while (atomicExch(&forks[second], 1) != 0) continue;   // may: deadlock
        __threadfence();
        ++meals[blockIdx.x];
        __threadfence();
        atomicExch(&forks[second], 0);
        atomicExch(&forks[first], 0);
    }
}

int main() {
    Array<int> meals(3, 0);
    dine<<<3, 1>>>(meals, 50);
    return differs(meals[2], 50);
}
