// atomicAdd_block() where only one block uses the counter, and the other kinds of atomic functions on one place.
#include "../arrays.h"

__global__ void count(int* counters, int* common) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd_block(&counters[blockIdx.x], 1);
    atomicMax(&common[0], i);
    atomicAdd_system(&common[1], 1);
    atomicAdd(&common[1], 1);
}

int main() {
    Array<int> x(4, 0);
    count<<<2, 64>>>(x, x + 2);
    return differs(x[1], 64) || differs(x[2], 127) || differs(x[3], 256);
}
