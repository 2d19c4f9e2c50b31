// Others count with atomicAdd() while one thread clears the counter with =.
#include "../arrays.h"

__global__ void count(unsigned* counter, unsigned* result) {
#ifdef BROKEN
    if (blockIdx.x == 3 && threadIdx.x == 0) *counter = 0;  // expect: race
#endif
    atomicAdd(counter, 1u);  // expect: race, other
    if (blockIdx.x == 0 && threadIdx.x == 0) *result = 1;
}

int main() {
    Array<unsigned> memory(2, 0);
    count<<<4, 32>>>(memory, memory + 1);
    return differs(memory[0], 128) || differs(memory[1], 1);
}
