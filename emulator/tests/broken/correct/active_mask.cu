// Lanes that came together call with the mask of those that did, and the first of them counts for all.
#include "../arrays.h"

__global__ void count(int* counter) {
    const int lane = threadIdx.x % 32;
    if (lane % 4 == 1) {
        const unsigned mask = __activemask();
        __syncwarp(mask);
        if (lane == __ffs(mask) - 1) atomicAdd(counter, __popc(mask));
    }
}

int main() {
    Array<int> counter(1, 0);
    count<<<2, 64>>>(counter);
    return differs(counter[0], 32);
}
