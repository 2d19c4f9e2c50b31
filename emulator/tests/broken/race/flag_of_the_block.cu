// A flag for another block is raised by an atomic operation whose scope is the block.
#include "../arrays.h"

__global__ void pass_on(int* value, int* flag, int* result) {
    if (blockIdx.x == 0) {
        *value = 7;
        __threadfence();
#ifdef BROKEN
        atomicExch_block(flag, 1);  // expect: race
#else
        atomicExch(flag, 1);
#endif
    } else {
        while (*static_cast<volatile int*>(flag) == 0) continue;  // expect: race, other
        __threadfence();
        *result = *value;
    }
}

int main() {
    Array<int> value(1, 0), flag(1, 0), result(1, 0);
    pass_on<<<2, 1>>>(value, flag, result);
    return differs(result[0], 7);
}
