// Block 0 raises a flag when its value is there; without a fence the flag may be seen first.
#include "../arrays.h"

__global__ void pass_on(int* value, int* flag, int* result) {
    if (blockIdx.x == 0) {
        *value = 42;  // expect: race
#ifndef BROKEN
        __threadfence();
#endif
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) continue;
#ifndef BROKEN
        __threadfence();
#endif
        *result = *value;  // expect: race, other
    }
}

int main() {
    Array<int> memory(3, 0);
    pass_on<<<2, 1>>>(memory, memory + 1, memory + 2);
    return differs(memory[2], 42);
}
