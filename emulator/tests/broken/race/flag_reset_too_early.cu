// Threads repeat until nothing has changed, and one of them lowers the flag while others have yet to look at it.
#include "../arrays.h"

__global__ void spread(int* labels, int n) {
    __shared__ int changed;
    const int t = threadIdx.x;
    if (t == 0) changed = 1;
    __syncthreads();
    while (changed) {  // expect: race
#ifndef BROKEN
        __syncthreads();
#endif
        if (t == 0) changed = 0;  // expect: race, other
        __syncthreads();          // may: divergent-barrier
        const int mine = labels[t], left = t > 0 ? labels[t - 1] : mine;
        __syncthreads();  // may: divergent-barrier
        if (left < mine) {
            labels[t] = left;
            atomicExch(&changed, 1);  // may: race
        }
        __syncthreads();  // may: divergent-barrier
    }
}

int main() {
    Array<int> labels(64, [](int i) { return i; });
    spread<<<1, 64>>>(labels, 64);
    return differs(labels[63], labels[0]);
}
