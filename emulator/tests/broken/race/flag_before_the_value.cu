// First the flag and then the value: the wrong way round.
#include "../arrays.h"

__global__ void pass_on(int* value, int* flag, int* result) {
    if (blockIdx.x == 0) {
#ifdef BROKEN
        atomicExch(flag, 1);
        __threadfence();
        *value = 42;  // expect: race
#else
        *value = 42;
        __threadfence();
        atomicExch(flag, 1);
#endif
    } else {
        while (atomicAdd(flag, 0) == 0) continue;
        __threadfence();
        *result = *value;  // expect: race, other
    }
}

int main() {
    Array<int> memory(3, 0);
    pass_on<<<2, 1>>>(memory, memory + 1, memory + 2);
    return differs(memory[2], 42);
}
